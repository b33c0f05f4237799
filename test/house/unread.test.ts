// No setting that nothing reads and no reason that nothing gives: what a contract declares is produced or used by a source that
// is no contract and no screen. The exceptions carry their reason, and only become fewer.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../../src/features/outreach/campaigns/checks.contract.ts';
import { campaign, PAUSED_REASONS } from '../../src/features/outreach/campaigns/contract.ts';
import { ATTENTION } from '../../src/features/outreach/campaigns/metrics.contract.ts';
import { FACTS } from '../../src/features/outreach/campaigns/running.contract.ts';
import { KINDS as DELIVERY_KINDS } from '../../src/features/outreach/deliveries/rules.ts';
import { domain } from '../../src/features/outreach/domains/contract.ts';
import { identity } from '../../src/features/outreach/identities/contract.ts';
import { ENDS, HOLDERS } from '../../src/features/outreach/prospects/contract.ts';
import { REFUSED } from '../../src/features/outreach/prospects/enrol.contract.ts';
import { HOLD_REASONS, WAIT_REASONS } from '../../src/features/outreach/sends/letter/reasons.rules.ts';
import { REVIEW_REASONS } from '../../src/features/outreach/sends/letter/send.rules.ts';
import { settings } from '../../src/features/access/settings/contract.ts';
import { REASONS, SOURCES } from '../../src/features/crm/suppressions/contract.ts';
import { WARDEN_REASONS } from '../../src/features/outreach/warden/warden.rules.ts';
import { EVENT_NAMES, READINGS } from '../../src/kernel/events.rules.ts';

const ROOT = join(import.meta.dirname, '../..');
const isShown = (file: string): boolean =>
  /contract\.ts$|\.test\.|\.gen\.ts$|\/screens\/|^src\/ui\//.test(file);

/** Without comments: a word that only a comment has is no use of it. */
const sources = globSync('src/**/*.ts', { cwd: ROOT })
  .filter((file) => !isShown(file))
  .map((file) => ({ file, text: uncommented(readFileSync(join(ROOT, file), 'utf8')) }));

function uncommented(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
}

const quoted = (word: string): RegExp => new RegExp(`['"\`]${word.replaceAll('.', '\\.')}['"\`]`, 'g');

/** Words that a list declares, by what declares them; the declaration itself produces nothing. */
const WORDS: [what: string, words: readonly string[], declared: string | null][] = [
  ['a reason to hold a letter', HOLD_REASONS, null],
  ['a reason to wait with a letter', WAIT_REASONS, null],
  ['a reason to read a letter', REVIEW_REASONS, 'src/features/outreach/sends/letter/send.rules.ts'],
  ['why a campaign is paused', PAUSED_REASONS, null],
  ['what happened to a campaign', FACTS, null],
  ['a check of a campaign', CHECKS, null],
  ['what asks for attention', ATTENTION, null],
  ['a reason of the warden', WARDEN_REASONS, 'src/features/outreach/warden/warden.rules.ts'],
  ['a kind of report', DELIVERY_KINDS, 'src/features/outreach/deliveries/rules.ts'],
  ['why somebody is suppressed', REASONS, null],
  ['what suppressed somebody', SOURCES, null],
  ['how somebody ended in a campaign', ENDS, null],
  ['who holds somebody back', HOLDERS, null],
  ['why somebody is not enrolled', REFUSED, null],
  ['a reading', READINGS, 'src/kernel/events.rules.ts'],
  ['an event', EVENT_NAMES, 'src/kernel/events.rules.ts'],
];

/** Rules that give a word as the key of what finds it. */
const BY_KEY = 'src/features/outreach/campaigns/metrics/metrics.rules.ts';

/** A reader of what others say gives its codes another sentence, or another place: it produces none. */
const READS_ONLY = /^src\/features\/(digests|today)\//;

/** Nothing gives these, with the reason why they exist. */
const UNGIVEN: Record<string, string> = {};

describe('every declared reason is given by something', () => {
  test.each(WORDS)('%s', (_, words, declared) => {
    const ungiven = words.filter((word) => {
      const said = sources
        .filter(({ file }) => !READS_ONLY.test(file))
        .map(
          ({ file, text }) =>
            [...text.matchAll(file === BY_KEY ? new RegExp(`\\b${word}\\b`, 'g') : quoted(word))].length -
            (file === declared ? 1 : 0),
        );
      return said.every((times) => times <= 0) && !(word in UNGIVEN);
    });
    expect(ungiven, 'produce it, or take it out of what is declared').toEqual([]);
  });
});

/** Fields, with the sources that only carry them between the row and the answer. */
const FIELDS: [what: string, fields: readonly string[], carries: RegExp][] = [
  [
    'a campaign',
    Object.keys(campaign.shape),
    /^src\/features\/(campaigns\/(store|save\.store|rules|eased\.rules|handlers)\.ts|start\/)/,
  ],
  [
    'an identity',
    Object.keys(identity.shape),
    /^src\/features\/(identities\/(store|save\.store|row|change|handlers)\.ts|start\/)/,
  ],
  ['a domain', Object.keys(domain.shape), /^src\/features\/(domains\/(store|save\.store|row)\.ts|start\/)/],
  [
    'the settings',
    [...Object.keys(settings.shape.security.shape), ...Object.keys(settings.shape.chat.shape)],
    /^src\/features\/settings\//,
  ],
];

/** Nothing but their own answer uses these, with the reason why they exist. */
const UNUSED: Record<string, string> = {
  'an identity last_polled_at': 'an observation: polled_at of its mailbox, which the watcher writes',
};

describe('every field that can be set or seen is used by something', () => {
  test.each(FIELDS)('of %s', (what, fields, carries) => {
    const others = sources.filter(({ file }) => !carries.test(file));
    const unused = fields.filter(
      (field) =>
        !others.some(({ text }) => new RegExp(`\\b${field}\\b`).test(text)) &&
        !(`${what} ${field}` in UNUSED),
    );
    expect(unused, 'have something read it, or refuse it with a sentence').toEqual([]);
  });
});
