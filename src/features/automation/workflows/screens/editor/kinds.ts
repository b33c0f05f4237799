// The thirteen kinds of steps as a person chooses and fills them: a line on what each does, its fields, and what a new one has.
import {
  Bell,
  Bot,
  CodeXml,
  GitFork,
  Globe,
  Hourglass,
  type LucideIcon,
  Mail,
  MessageSquareQuote,
  SquareCheck,
  Stamp,
  Tag,
  TrendingUp,
  UserPlus,
} from 'lucide-react';
import { STAGES } from '../../../../crm/people/stages.rules.ts';
import type { DraftStep } from './draft.rules.ts';

export type Field = { key: string; label: string; says?: string } & (
  | { as: 'text' | 'area' | 'code' | 'list' | 'pairs' | 'any'; placeholder?: string }
  | { as: 'choice'; options: { value: string; label: string }[]; clearable?: boolean }
  | { as: 'project' | 'campaign' | 'segment' | 'identity' | 'agent' | 'users' | 'minutes' }
);

type Kind = {
  title: string;
  icon: LucideIcon;
  says: string;
  group: 'Flow' | 'Work' | 'Outreach' | 'Further';
  fields: Field[];
  input: Record<string, unknown>;
  /** What may follow where it says no. */
  otherwise?: string;
  /** What it gives to later steps. */
  gives: string[];
};

const words = (values: readonly string[]): { value: string; label: string }[] =>
  values.map((value) => ({
    value,
    label: value.charAt(0).toUpperCase() + value.slice(1).replaceAll('_', ' '),
  }));

const PERSON = '{{ trigger.person_id }}';

export const KINDS = {
  condition: {
    title: 'Condition',
    icon: GitFork,
    says: 'Goes on where something holds, and another way where it does not.',
    group: 'Flow',
    fields: [
      { key: 'value', label: 'What is looked at', as: 'text', placeholder: '{{ trigger.reading }}' },
      {
        key: 'is',
        label: 'It holds where that',
        as: 'choice',
        options: [
          { value: 'equals', label: 'is' },
          { value: 'not_equals', label: 'is not' },
          { value: 'contains', label: 'contains' },
          { value: 'greater', label: 'is more than' },
          { value: 'less', label: 'is less than' },
          { value: 'present', label: 'is there' },
          { value: 'absent', label: 'is not there' },
        ],
      },
      { key: 'than', label: 'This', as: 'text', placeholder: 'positive' },
    ],
    input: { value: '', is: 'equals', than: '', otherwise: null },
    otherwise: 'Where it does not hold',
    gives: ['holds'],
  },
  wait: {
    title: 'Wait',
    icon: Hourglass,
    says: 'Lets time pass before the next step.',
    group: 'Flow',
    fields: [{ key: 'minutes', label: 'How long', as: 'minutes' }],
    input: { minutes: 1_440 },
    gives: ['until'],
  },
  ask_person: {
    title: 'Ask a person',
    icon: Stamp,
    says: 'Asks yes or no under Approvals, and waits until somebody decides.',
    group: 'Flow',
    fields: [{ key: 'question', label: 'Question', as: 'area', placeholder: 'Shall we go on with them?' }],
    input: { question: '', otherwise: null },
    otherwise: 'Where they say no',
    gives: ['approved', 'by', 'note'],
  },
  notify: {
    title: 'Tell people',
    icon: Bell,
    says: 'Rings the bell of people with one sentence.',
    group: 'Work',
    fields: [
      { key: 'sentence', label: 'Sentence', as: 'area' },
      { key: 'users', label: 'Whom', as: 'users', says: 'Nobody named: whoever activated the workflow.' },
    ],
    input: { sentence: '', users: [] },
    gives: ['users'],
  },
  create_work_item: {
    title: 'Work item',
    icon: SquareCheck,
    says: 'Puts a card on the work board.',
    group: 'Work',
    fields: [
      { key: 'project', label: 'Project', as: 'project' },
      { key: 'title', label: 'Title', as: 'text' },
      { key: 'description', label: 'Description', as: 'area' },
      {
        key: 'priority',
        label: 'Priority',
        as: 'choice',
        clearable: true,
        options: words(['none', 'low', 'medium', 'high', 'urgent']),
      },
      { key: 'labels', label: 'Labels', as: 'list' },
    ],
    input: { project: '', title: '' },
    gives: ['item.id', 'item.key', 'item.title'],
  },
  agent: {
    title: 'Agent',
    icon: Bot,
    says: 'An agent of this instance works on a message and answers; what cannot be taken back it only proposes.',
    group: 'Work',
    fields: [
      { key: 'message', label: 'Message', as: 'area', placeholder: 'What waits for a person today?' },
      { key: 'agent', label: 'Agent', as: 'agent', says: 'None chosen: the first one.' },
    ],
    input: { message: '' },
    gives: ['text', 'thread_id'],
  },
  tag: {
    title: 'Tag',
    icon: Tag,
    says: 'Puts tags on a person, or takes them away.',
    group: 'Outreach',
    fields: [
      { key: 'person', label: 'Person', as: 'text', placeholder: PERSON },
      { key: 'add', label: 'Tags to put on', as: 'list' },
      { key: 'remove', label: 'Tags to take away', as: 'list' },
    ],
    input: { person: PERSON, add: [], remove: [] },
    gives: ['person_id', 'tags'],
  },
  move_spine: {
    title: 'Stage',
    icon: TrendingUp,
    says: 'Moves somebody forward in their campaign.',
    group: 'Outreach',
    fields: [
      {
        key: 'prospect',
        label: 'Their place in the campaign',
        as: 'text',
        placeholder: '{{ trigger.prospect_id }}',
      },
      { key: 'stage', label: 'Stage', as: 'choice', options: words(STAGES) },
      { key: 'reason', label: 'Reason', as: 'text' },
    ],
    input: { prospect: '{{ trigger.prospect_id }}', stage: 'positive' },
    gives: ['moved', 'stage', 'sentence'],
  },
  draft_answer: {
    title: 'Draft an answer',
    icon: MessageSquareQuote,
    says: 'Drafts an answer in a conversation; it goes to nobody before a person sends it.',
    group: 'Outreach',
    fields: [
      { key: 'thread', label: 'Conversation', as: 'text', placeholder: '{{ trigger.thread_id }}' },
      { key: 'text', label: 'Words', as: 'area' },
    ],
    input: { thread: '{{ trigger.thread_id }}', text: '' },
    gives: ['answer.id'],
  },
  draft_letter: {
    title: 'Draft a letter',
    icon: Mail,
    says: 'Drafts a single letter to somebody; it waits in review for a person.',
    group: 'Outreach',
    fields: [
      { key: 'person_id', label: 'Person', as: 'text', placeholder: PERSON },
      { key: 'identity_id', label: 'From', as: 'identity' },
      { key: 'subject', label: 'Subject', as: 'text' },
      { key: 'text', label: 'Words', as: 'area' },
    ],
    input: { person_id: PERSON, identity_id: '', subject: '', text: '' },
    gives: ['send.id', 'send.state'],
  },
  enrol: {
    title: 'Enrol',
    icon: UserPlus,
    says: 'Puts people into a campaign: letters follow, so it needs the wire from whoever activates it.',
    group: 'Outreach',
    fields: [
      { key: 'campaign', label: 'Campaign', as: 'campaign' },
      { key: 'people', label: 'People', as: 'list', says: 'Ids, or values such as {{ trigger.person_id }}.' },
      { key: 'segment', label: 'Or a segment', as: 'segment' },
    ],
    input: { campaign: '', people: [PERSON] },
    gives: ['enrolled', 'sentence'],
  },
  http: {
    title: 'Web request',
    icon: Globe,
    says: 'Asks another system; its host must stand on the list of an administrator.',
    group: 'Further',
    fields: [
      {
        key: 'method',
        label: 'Method',
        as: 'choice',
        options: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((value) => ({ value, label: value })),
      },
      { key: 'url', label: 'Address', as: 'text', placeholder: 'https://hooks.example.com/answers' },
      { key: 'headers', label: 'Headers', as: 'pairs', says: 'One a line, as Name: value.' },
      { key: 'body', label: 'Body', as: 'any', says: 'JSON, or a text as it is.' },
    ],
    input: { method: 'POST', url: '', headers: {} },
    gives: ['status', 'body'],
  },
  lua: {
    title: 'Script',
    icon: CodeXml,
    says: 'Runs a script in Lua; it needs the scope scripts from whoever activates it.',
    group: 'Further',
    fields: [
      { key: 'script', label: 'Script', as: 'code' },
      {
        key: 'args',
        label: 'Arguments',
        as: 'pairs',
        says: 'One a line, as name: value; the script finds them in the table args. References stand here, never in the script.',
      },
    ],
    input: { script: 'return 1', args: {} },
    gives: ['result', 'output'],
  },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof KINDS;

const KNOWN: Record<string, Kind> = KINDS;

/** Null: a kind that there is none of, as only the JSON can hold. */
export const kindOf = (kind: string): Kind | null =>
  Object.hasOwn(KNOWN, kind) ? (KNOWN[kind] ?? null) : null;

export const GROUPS: [group: Kind['group'], kinds: KindName[]][] = (
  ['Flow', 'Work', 'Outreach', 'Further'] as const
).map((group) => [group, (Object.keys(KINDS) as KindName[]).filter((kind) => KINDS[kind].group === group)]);

export const newStep = (kind: KindName, id: string): DraftStep => ({
  id,
  kind,
  name: KINDS[kind].title,
  input: structuredClone(KINDS[kind].input),
  next: null,
  on_error: null,
});
