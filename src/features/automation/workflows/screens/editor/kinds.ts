// The thirteen kinds of steps: title, description, fields and the input of a new one.
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
  group: 'Flow' | 'Work' | 'Outreach' | 'Other';
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
    says: 'Takes one of two paths, depending on a value.',
    group: 'Flow',
    fields: [
      { key: 'value', label: 'Value to check', as: 'text', placeholder: '{{ trigger.reading }}' },
      {
        key: 'is',
        label: 'Condition',
        as: 'choice',
        options: [
          { value: 'equals', label: 'is' },
          { value: 'not_equals', label: 'is not' },
          { value: 'contains', label: 'contains' },
          { value: 'greater', label: 'is more than' },
          { value: 'less', label: 'is less than' },
          { value: 'present', label: 'has a value' },
          { value: 'absent', label: 'is empty' },
        ],
      },
      { key: 'than', label: 'Compare with', as: 'text', placeholder: 'positive' },
    ],
    input: { value: '', is: 'equals', than: '', otherwise: null },
    otherwise: 'If not met',
    gives: ['holds'],
  },
  wait: {
    title: 'Wait',
    icon: Hourglass,
    says: 'Waits before the next step.',
    group: 'Flow',
    fields: [{ key: 'minutes', label: 'Duration', as: 'minutes' }],
    input: { minutes: 1_440 },
    gives: ['until'],
  },
  ask_person: {
    title: 'Ask a person',
    icon: Stamp,
    says: 'Asks a yes-or-no question in Approvals and waits for the decision.',
    group: 'Flow',
    fields: [{ key: 'question', label: 'Question', as: 'area', placeholder: 'Continue with this person?' }],
    input: { question: '', otherwise: null },
    otherwise: 'If declined',
    gives: ['approved', 'by', 'note'],
  },
  notify: {
    title: 'Notify people',
    icon: Bell,
    says: 'Sends people a notification.',
    group: 'Work',
    fields: [
      { key: 'sentence', label: 'Message', as: 'area' },
      {
        key: 'users',
        label: 'Recipients',
        as: 'users',
        says: 'Leave empty to notify the person who activated the workflow.',
      },
    ],
    input: { sentence: '', users: [] },
    gives: ['users'],
  },
  create_work_item: {
    title: 'Work item',
    icon: SquareCheck,
    says: 'Creates a work item on a board.',
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
      { key: 'due_in_days', label: 'Due in days', as: 'text', placeholder: '3' },
      { key: 'labels', label: 'Labels', as: 'list' },
    ],
    input: { project: '', title: '' },
    gives: ['item.id', 'item.key', 'item.title'],
  },
  agent: {
    title: 'Agent',
    icon: Bot,
    says: 'An agent handles a message and replies to it. Actions that can’t be undone need approval.',
    group: 'Work',
    fields: [
      { key: 'message', label: 'Message', as: 'area', placeholder: 'What needs attention today?' },
      { key: 'agent', label: 'Agent', as: 'agent', says: 'Leave empty for the first agent.' },
    ],
    input: { message: '' },
    gives: ['text', 'thread_id'],
  },
  tag: {
    title: 'Tag',
    icon: Tag,
    says: 'Adds or removes tags.',
    group: 'Outreach',
    fields: [
      { key: 'person', label: 'Person', as: 'text', placeholder: PERSON },
      { key: 'add', label: 'Tags to add', as: 'list' },
      { key: 'remove', label: 'Tags to remove', as: 'list' },
    ],
    input: { person: PERSON, add: [], remove: [] },
    gives: ['person_id', 'tags'],
  },
  move_spine: {
    title: 'Stage',
    icon: TrendingUp,
    says: 'Moves a person to a later stage of their campaign.',
    group: 'Outreach',
    fields: [
      {
        key: 'prospect',
        label: 'Prospect',
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
    says: 'Drafts an answer in a conversation. A person reviews and sends it.',
    group: 'Outreach',
    fields: [
      { key: 'thread', label: 'Conversation', as: 'text', placeholder: '{{ trigger.thread_id }}' },
      { key: 'text', label: 'Text', as: 'area' },
    ],
    input: { thread: '{{ trigger.thread_id }}', text: '' },
    gives: ['answer.id'],
  },
  draft_letter: {
    title: 'Draft a letter',
    icon: Mail,
    says: 'Drafts one letter to a person and sends it to review.',
    group: 'Outreach',
    fields: [
      { key: 'person_id', label: 'Person', as: 'text', placeholder: PERSON },
      { key: 'identity_id', label: 'From', as: 'identity' },
      { key: 'subject', label: 'Subject', as: 'text' },
      { key: 'text', label: 'Text', as: 'area' },
    ],
    input: { person_id: PERSON, identity_id: '', subject: '', text: '' },
    gives: ['send.id', 'send.state'],
  },
  enrol: {
    title: 'Enrol',
    icon: UserPlus,
    says: 'Enrols people in a campaign, so they receive letters. The person who activates the workflow needs the wire scope.',
    group: 'Outreach',
    fields: [
      { key: 'campaign', label: 'Campaign', as: 'campaign' },
      {
        key: 'people',
        label: 'People',
        as: 'list',
        says: 'Person ids, or values such as {{ trigger.person_id }}.',
      },
      { key: 'segment', label: 'Or a segment', as: 'segment' },
    ],
    input: { campaign: '', people: [PERSON] },
    gives: ['enrolled', 'sentence'],
  },
  http: {
    title: 'Web request',
    icon: Globe,
    says: 'Calls another system. Its host must be allowed in Settings → Workflows.',
    group: 'Other',
    fields: [
      {
        key: 'method',
        label: 'Method',
        as: 'choice',
        options: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((value) => ({ value, label: value })),
      },
      { key: 'url', label: 'Address', as: 'text', placeholder: 'https://hooks.example.com/answers' },
      { key: 'headers', label: 'Headers', as: 'pairs', says: 'One per line, as Name: value.' },
      { key: 'body', label: 'Body', as: 'any', says: 'JSON or plain text.' },
    ],
    input: { method: 'POST', url: '', headers: {} },
    gives: ['status', 'body'],
  },
  lua: {
    title: 'Script',
    icon: CodeXml,
    says: 'Runs a Lua script. The person who activates the workflow needs the scripts scope.',
    group: 'Other',
    fields: [
      { key: 'script', label: 'Script', as: 'code' },
      {
        key: 'args',
        label: 'Arguments',
        as: 'pairs',
        says: 'One per line, as name: value. The script reads them from the args table. Insert values here, not in the script.',
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
  ['Flow', 'Work', 'Outreach', 'Other'] as const
).map((group) => [group, (Object.keys(KINDS) as KindName[]).filter((kind) => KINDS[kind].group === group)]);

export const newStep = (kind: KindName, id: string): DraftStep => ({
  id,
  kind,
  name: KINDS[kind].title,
  input: structuredClone(KINDS[kind].input),
  next: null,
  on_error: null,
});
