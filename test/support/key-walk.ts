// Presses the keys that a queue advertises in random order and judges every decision that is asked of the product by what was
// chosen explicitly: the key of that decision, on what was shown when it was pressed, and for a note its sending.
import type { Page, Request } from '@playwright/test';

/** Paths that decide something. */
const DECISIONS = [
  /\/sends\/(?<id>[^/]+)\/(?<act>approve|return|reject)$/,
  /\/approvals\/(?<id>[^/]+)\/decide$/,
  /\/(sends\/approve|approvals\/decide)$/,
];

export type Decided = { path: string; act: string; id: string | null; keys: string[]; chosen: boolean };

/** As mulberry32 does it: the same walk for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const KEYS = [
  'j',
  'k',
  'x',
  'X',
  'a',
  'r',
  'd',
  'A',
  'e',
  'z',
  'Escape',
  'Escape',
  ' ',
  ' ',
  'Enter',
  'Enter',
];
const IN_A_FIELD = ['Escape', 'Escape', 'Control+Enter', 'w'];

/** A request may be seen a key later than it was asked for. */
const SOON_STEPS = 2;

type Seen = { typing: boolean; dialog: boolean; shown: string | null };
type Choice = { act: string; id: string | null };

const KEY_SEEN = 'keySeen';

/** What the page shows; `atKey`: as the last key found it, since an answer may come between a look and a key. */
const seen = (page: Page, atKey: boolean): Promise<Seen> =>
  page.evaluate(
    ([name, old]) => {
      const held = window as unknown as Record<string, unknown>;
      const look = (): Seen => ({
        typing: document.activeElement?.matches('input:not([type=checkbox]), textarea, select') ?? false,
        dialog: [...document.querySelectorAll('[role="dialog"][aria-modal="true"]')].some((it) =>
          it.checkVisibility(),
        ),
        shown: document.querySelector('[data-id][data-here]')?.getAttribute('data-id') ?? null,
      });
      if (!(name in held)) {
        held[name] = look();
        window.addEventListener('keydown', () => (held[name] = look()), true);
      }
      return old ? (held[name] as Seen) : look();
    },
    [KEY_SEEN, atKey] as const,
  );

function decisionOf(request: Request): { act: string; id: string | null; path: string } | null {
  const path = new URL(request.url()).pathname;
  const found = DECISIONS.map((one) => one.exec(path)).find((one) => one !== null);
  if (!found || request.method() !== 'POST') return null;
  const body = (request.postDataJSON() ?? {}) as { decision?: string };
  return { path, act: body.decision ?? found.groups?.['act'] ?? 'approve', id: found.groups?.['id'] ?? null };
}

export async function walk(page: Page, random: () => number, steps: number): Promise<Decided[]> {
  const from = page.url();
  const keys: string[] = [];
  const decided: Decided[] = [];
  /** What was chosen last, and what a key carried out of it, until the request for it is seen: once each, and soon. */
  let choice: Choice | null = null;
  let carried: (Choice & { step: number })[] = [];
  let now = 0;
  const asked: (Choice & { path: string; step: number; keys: string[] })[] = [];
  page.on('request', (request) => {
    const decision = decisionOf(request);
    if (decision) asked.push({ ...decision, step: now, keys: keys.slice(-8) });
  });
  for (let step = 0; step < steps; step += 1) {
    if (new URL(page.url()).pathname !== new URL(from).pathname) await page.goto(from);
    const pool = (await seen(page, false)).typing ? IN_A_FIELD : KEYS;
    const key = pool[Math.floor(random() * pool.length)] ?? 'j';
    now = step;
    keys.push(key);
    await page.keyboard.press(key);
    const { typing, dialog, shown } = await seen(page, true);
    let carriesOut = false;
    if (!typing && !dialog) {
      const begun = { a: 'approve', r: 'return', d: 'reject' }[key];
      if (begun) choice = { act: begun, id: shown };
      if (key === 'A') choice = { act: 'approve', id: null };
      carriesOut = key === 'a';
    } else if (typing) carriesOut = key === 'Control+Enter';
    else carriesOut = (key === 'Enter' || key === ' ') && choice?.id === null;
    if (carriesOut && choice) carried.push({ ...choice, step });
    // What it began is asked for within the frame; the next key comes as fast as a person's.
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
  }
  for (const { step, ...decision } of asked) {
    const one = carried.find(
      (it) =>
        it.act === decision.act && it.id === decision.id && step >= it.step && step - it.step <= SOON_STEPS,
    );
    carried = carried.filter((it) => it !== one);
    decided.push({ ...decision, chosen: one !== undefined });
  }
  return decided;
}
