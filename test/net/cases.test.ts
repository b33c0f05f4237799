// The whole table of address cases: at set time, and for names at the pass. Names are asked of a name server on
// loopback; the two answers that DNS cannot carry (a zone id, no address at all) come from a resolver made up here.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { classifyAddress } from '../../src/net/address.ts';
import { admitUrl, type Lookup } from '../../src/net/resolve.ts';
import { readEventsSwitch } from '../../src/net/switches.ts';
import { nameServer, type NameServer } from '../support/dns.ts';
import table from '../cases/ssrf-cases.json' with { type: 'json' };

type Case = {
  id: string;
  url: string;
  allowed: boolean;
  why: string;
  noLookup?: boolean;
  dns?: string[];
  phase?: string;
  dnsAtSet?: string[];
  cname?: string;
  env?: { SERVICE_EVENTS_ALLOW_PRIVATE?: string };
};
const cases: Case[] = table;

let dns: NameServer;
beforeAll(async () => {
  dns = await nameServer();
});
afterAll(() => dns[Symbol.asyncDispose]());

/** A resolver that answers as the case says, whatever the name, and counts. */
function lookupOf(each: Case, answers: readonly string[]): { lookup: Lookup; asked: string[] } {
  const asked: string[] = [];
  const made = answers.some((answer) => answer.includes('%') || classifyAddress(answer) === 'unreadable');
  const lookup: Lookup = async (name) => {
    asked.push(name);
    if (made) return answers;
    dns.says(
      name,
      answers.length === 0 ? 'nothing' : { addresses: answers, ...(each.cname && { cname: each.cname }) },
    );
    return dns.lookup(name);
  };
  return { lookup, asked };
}

describe('I1: every address case has the verdict of the table', () => {
  test('the table is whole', () => expect(cases).toHaveLength(200));

  test.each(cases)('$id $url: $why', async (each) => {
    const opening = readEventsSwitch(each.env?.SERVICE_EVENTS_ALLOW_PRIVATE);
    if (each.dnsAtSet) {
      const set = await admitUrl(each.url, opening, lookupOf(each, each.dnsAtSet));
      expect(set).toMatchObject({ ok: true, addresses: each.dnsAtSet });
    }
    const { lookup, asked } = lookupOf(each, each.dns ?? []);
    const verdict = await admitUrl(each.url, opening, { lookup });

    expect(verdict.ok).toBe(each.allowed);
    if (each.noLookup || !each.dns) expect(asked, 'refused or known before any resolution').toEqual([]);
    if (!verdict.ok) {
      expect(verdict.sentence.length).toBeLessThan(300);
      expect(verdict.sentence, 'one sentence, and nothing of the URL').toMatch(
        /^[A-Z][^.]*(\.[^ ][^.]*)*\.$/,
      );
      return;
    }
    if (each.dns && !verdict.isLiteral) expect([...verdict.addresses].sort()).toEqual([...each.dns].sort());
    const again = await admitUrl(verdict.url, opening, { lookup });
    expect(again, 'what is kept is what was checked').toEqual(verdict);
  });
});
