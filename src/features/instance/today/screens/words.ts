// Words and icons for the sections of Today.
import {
  BellOff,
  CircleHelp,
  Globe,
  Handshake,
  Inbox,
  MailCheck,
  Megaphone,
  OctagonPause,
  Stamp,
  TriangleAlert,
  UserMinus,
  UserPlus,
  Webhook,
  Workflow,
  AtSign,
  Clock,
  type LucideIcon,
} from 'lucide-react';
import type { Tone } from '../../../../ui/kit/pills.tsx';
import type { TodayPart, SectionName } from '../sections.rules.ts';

export const PARTS: Record<TodayPart, string> = {
  needs: 'Needs you',
  broken: 'Broken',
  waits: 'Scheduled',
};

type Words = { one: string; more: string; icon: LucideIcon; tone: Tone };

export const WORDS: Record<SectionName, Words> = {
  approvals: { one: 'approval', more: 'approvals', icon: Stamp, tone: 'agent' },
  positives: {
    one: 'positive reply to answer',
    more: 'positive replies to answer',
    icon: Handshake,
    tone: 'good',
  },
  erasures: { one: 'erasure request', more: 'erasure requests', icon: UserMinus, tone: 'bad' },
  named: { one: 'suggested person', more: 'suggested people', icon: UserPlus, tone: 'agent' },
  review: { one: 'letter to review', more: 'letters to review', icon: MailCheck, tone: 'info' },
  uncertain: { one: 'uncertain letter', more: 'uncertain letters', icon: CircleHelp, tone: 'warn' },
  held: {
    one: 'group of held letters',
    more: 'groups of held letters',
    icon: OctagonPause,
    tone: 'warn',
  },
  runs: { one: 'workflow on hold', more: 'workflows on hold', icon: Workflow, tone: 'warn' },
  warnings: { one: 'warning', more: 'warnings', icon: TriangleAlert, tone: 'warn' },
  domains: { one: 'domain', more: 'domains', icon: Globe, tone: 'bad' },
  identities: { one: 'identity', more: 'identities', icon: AtSign, tone: 'bad' },
  campaigns: { one: 'campaign', more: 'campaigns', icon: Megaphone, tone: 'bad' },
  events: { one: 'event', more: 'events', icon: Webhook, tone: 'bad' },
  mail: { one: 'mail queue', more: 'mail queues', icon: Inbox, tone: 'bad' },
  letters_wait: {
    one: 'group of scheduled letters',
    more: 'groups of scheduled letters',
    icon: Clock,
    tone: 'mute',
  },
  snoozed: { one: 'snoozed', more: 'snoozed', icon: BellOff, tone: 'mute' },
  events_wait: { one: 'event', more: 'events', icon: Webhook, tone: 'mute' },
};
