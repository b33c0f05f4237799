// Words for what the audit log names: outcomes, the roads a call comes on, and acts.
import type { Tone } from '../../../ui/kit/pills.tsx';

export const OUTCOMES = ['done', 'refused', 'fault'] as const;

export const OUTCOME: Record<(typeof OUTCOMES)[number], { title: string; tone: Tone }> = {
  done: { title: 'Done', tone: 'good' },
  refused: { title: 'Refused', tone: 'warn' },
  fault: { title: 'Fault', tone: 'bad' },
};

export const SURFACES = ['screen', 'rest', 'mcp', 'chat', 'lua', 'workflow', 'pass', 'setup'] as const;

export const SURFACE: Record<string, string> = {
  screen: 'Screen',
  rest: 'REST',
  mcp: 'Tool endpoint',
  chat: 'Chat',
  lua: 'Script',
  workflow: 'Workflow',
  pass: 'By the clock',
  setup: 'Set-up',
};

/** `item_move` → "item move": an act reads as its noun and verb. */
export const words = (act: string): string => act.replaceAll('_', ' ');
