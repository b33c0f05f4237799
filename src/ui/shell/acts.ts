// The actions that ⌘K offers everywhere. Each opens an address or runs at once.
import {
  Building2,
  FileUp,
  Globe,
  HandCoins,
  History,
  KeyRound,
  LogOut,
  Megaphone,
  MessagesSquare,
  Moon,
  Rows3,
  Rows4,
  SquareKanban,
  Sun,
  SunMoon,
  UserPlus,
  Users,
  Workflow,
  type LucideIcon,
} from 'lucide-react';
import type { Me } from '../client/session.ts';
import { mayAdminister } from './places.ts';

/** What is done at once, wherever one is. */
export type AtOnce = 'light' | 'dark' | 'as_system' | 'comfortable' | 'compact' | 'sign_out';

export type Act = {
  id: string;
  title: string;
  says?: string;
  /** Other names that the search knows it by. */
  also?: string[];
  icon: LucideIcon;
  shown: (me: Me) => boolean;
} & ({ to: string } | { at_once: AtOnce });

const everybody = (): boolean => true;

export const ACTS: Act[] = [
  {
    id: 'new-campaign',
    title: 'New campaign',
    also: ['create', 'start', 'outreach'],
    icon: Megaphone,
    to: '/campaigns?new=campaign',
    shown: mayAdminister,
  },
  {
    id: 'add-person',
    title: 'Add person',
    also: ['new', 'contact', 'create'],
    icon: UserPlus,
    to: '/people?new=person',
    shown: mayAdminister,
  },
  {
    id: 'import',
    title: 'Import people',
    says: 'From a CSV or Excel file, with a plan to review first',
    also: ['upload', 'csv', 'xlsx', 'excel', 'list'],
    icon: FileUp,
    to: '/people/import',
    shown: mayAdminister,
  },
  {
    id: 'imports',
    title: 'Imports',
    says: 'Past imports, their results and rollback',
    also: ['batches', 'history', 'rollback', 'undo'],
    icon: History,
    to: '/people/imports',
    shown: mayAdminister,
  },
  {
    id: 'add-company',
    title: 'Add company',
    also: ['new', 'account'],
    icon: Building2,
    to: '/companies?new=company',
    shown: mayAdminister,
  },
  {
    id: 'new-deal',
    title: 'New deal',
    also: ['create', 'open', 'opportunity'],
    icon: HandCoins,
    to: '/deals?new=deal',
    shown: mayAdminister,
  },
  {
    id: 'new-project',
    title: 'New project',
    also: ['create', 'board', 'work'],
    icon: SquareKanban,
    to: '/work?new=project',
    shown: mayAdminister,
  },
  {
    id: 'new-workflow',
    title: 'New workflow',
    also: ['create', 'automation'],
    icon: Workflow,
    to: '/workflows/new',
    shown: mayAdminister,
  },
  {
    id: 'ask-agent',
    title: 'Ask an agent',
    also: ['chat', 'talk', 'new conversation'],
    icon: MessagesSquare,
    to: '/chat',
    shown: everybody,
  },
  {
    id: 'mint',
    title: 'Mint a token',
    says: 'What an agent uses to sign in',
    also: ['new', 'api', 'key', 'create'],
    icon: KeyRound,
    to: '/settings/api?new=token',
    shown: mayAdminister,
  },
  {
    id: 'connect',
    title: 'Connect an agent',
    says: 'Mint a token and copy the configuration for your client',
    also: ['mcp', 'token', 'claude', 'cursor', 'codex'],
    icon: KeyRound,
    to: '/settings/api/connect',
    shown: mayAdminister,
  },
  {
    id: 'invite',
    title: 'Invite someone',
    also: ['user', 'new', 'add'],
    icon: Users,
    to: '/settings/users?new=invitation',
    shown: mayAdminister,
  },
  {
    id: 'add-domain',
    title: 'Add a sending domain',
    also: ['new', 'dns', 'dkim', 'spf'],
    icon: Globe,
    to: '/settings/domains?new=domain',
    shown: mayAdminister,
  },
  {
    id: 'light',
    title: 'Light mode',
    also: ['appearance', 'theme', 'bright'],
    icon: Sun,
    at_once: 'light',
    shown: everybody,
  },
  {
    id: 'dark',
    title: 'Dark mode',
    also: ['appearance', 'theme', 'night'],
    icon: Moon,
    at_once: 'dark',
    shown: everybody,
  },
  {
    id: 'as-system',
    title: 'Match the system’s light or dark mode',
    also: ['appearance', 'theme', 'auto'],
    icon: SunMoon,
    at_once: 'as_system',
    shown: everybody,
  },
  {
    id: 'comfortable',
    title: 'Comfortable rows',
    also: ['density'],
    icon: Rows3,
    at_once: 'comfortable',
    shown: everybody,
  },
  {
    id: 'compact',
    title: 'Compact rows',
    also: ['density', 'dense'],
    icon: Rows4,
    at_once: 'compact',
    shown: everybody,
  },
  {
    id: 'sign-out',
    title: 'Sign out',
    also: ['log out', 'logout', 'leave'],
    icon: LogOut,
    at_once: 'sign_out',
    shown: everybody,
  },
];
