// The places of the app, in order: used by the navigation, the jump keys and the search.
import {
  Building2,
  HandCoins,
  History,
  Inbox,
  MailCheck,
  Megaphone,
  MessagesSquare,
  Settings,
  SquareKanban,
  Send,
  Stamp,
  Sun,
  Users,
  Workflow,
  type LucideIcon,
} from 'lucide-react';
import type { Me } from '../client/session.ts';

export type Place = {
  title: string;
  to:
    | '/'
    | '/inbox'
    | '/campaigns'
    | '/review'
    | '/sends'
    | '/people'
    | '/companies'
    | '/deals'
    | '/work'
    | '/approvals'
    | '/chat'
    | '/workflows'
    | '/activity'
    | '/settings';
  icon: LucideIcon;
  /** The second key after `g`. */
  key: string;
  says: string;
  /** Other names that the search knows it by. */
  also?: string[];
  shown: (me: Me) => boolean;
};

/** Someone with rights beyond a member's may have a use for the administrative pages; the product decides each of them. */
export const mayAdminister = (me: Me): boolean => me.admin || me.policies.some((name) => name !== 'member');

export const PLACES: Place[] = [
  {
    title: 'Today',
    to: '/',
    icon: Sun,
    key: 't',
    says: 'What needs your attention, and what’s broken',
    also: ['home', 'overview', 'dashboard', 'attention'],
    shown: () => true,
  },
  {
    title: 'Inbox',
    to: '/inbox',
    icon: Inbox,
    key: 'i',
    says: 'Replies, and people waiting to hear back',
    also: ['mail', 'replies', 'answers', 'unanswered', 'conversations'],
    shown: () => true,
  },
  {
    title: 'Campaigns',
    to: '/campaigns',
    icon: Megaphone,
    key: 'c',
    says: 'Sequences of letters to people',
    also: ['outreach', 'sequences', 'letters', 'cadence'],
    shown: mayAdminister,
  },
  {
    title: 'Review',
    to: '/review',
    icon: MailCheck,
    key: 'r',
    says: 'Letters to approve before they’re sent',
    also: ['letters', 'approve letters'],
    shown: mayAdminister,
  },
  {
    title: 'Sends',
    to: '/sends',
    icon: Send,
    key: 'l',
    says: 'All letters, and why some haven’t been sent',
    also: ['letters', 'held', 'outbox', 'mail'],
    shown: mayAdminister,
  },
  {
    title: 'People',
    to: '/people',
    icon: Users,
    key: 'p',
    says: 'Your contacts and segments',
    also: ['contacts', 'leads', 'segments', 'crm'],
    shown: mayAdminister,
  },
  {
    title: 'Companies',
    to: '/companies',
    icon: Building2,
    key: 'o',
    says: 'Where people work',
    also: ['accounts', 'organizations'],
    shown: mayAdminister,
  },
  {
    title: 'Deals',
    to: '/deals',
    icon: HandCoins,
    key: 'd',
    says: 'Your sales pipeline',
    also: ['pipeline', 'opportunities', 'sales', 'crm'],
    shown: mayAdminister,
  },
  {
    title: 'Work',
    to: '/work',
    icon: SquareKanban,
    key: 'w',
    says: 'Boards of work items',
    shown: () => true,
  },
  {
    title: 'Approvals',
    to: '/approvals',
    icon: Stamp,
    key: 'a',
    says: 'Requests that need a decision',
    shown: () => true,
  },
  {
    title: 'Chat',
    to: '/chat',
    icon: MessagesSquare,
    key: 'm',
    says: 'Talk to this instance’s agents',
    also: ['agents', 'assistant', 'ask'],
    shown: () => true,
  },
  {
    title: 'Workflows',
    to: '/workflows',
    icon: Workflow,
    key: 'f',
    says: 'Steps that run automatically',
    also: ['automation', 'runs', 'flows'],
    shown: mayAdminister,
  },
  {
    title: 'Activity',
    to: '/activity',
    icon: History,
    key: 'h',
    says: 'Who did what, including refusals',
    also: ['audit', 'log', 'history'],
    shown: mayAdminister,
  },
  {
    title: 'Settings',
    to: '/settings',
    icon: Settings,
    key: 's',
    says: 'Your account, access and the instance',
    shown: () => true,
  },
];
