// What is an address, what is not, and which spellings are one.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ADDRESS_SAYS, normaliseDomain, parseAddress } from '../../src/mail/address.rules.ts';
import { addressHash } from '../../src/mail/address.ts';

const normalised = (text: string): string => {
  const parsed = parseAddress(text);
  return parsed.ok ? parsed.address.normalised : parsed.why;
};

describe('spellings of one address are equal', () => {
  test.each([
    ['case', 'Ann.Lee@Example.COM', 'ann.lee@example.com'],
    ['outer spaces', '\t ann@example.com\u00a0\n', 'ann@example.com'],
    ['a trailing dot of the domain', 'ann@example.com.', 'ann@example.com'],
    ['an international domain', 'ann@BÜCHER.example', 'ann@xn--bcher-kva.example'],
    ['a domain in full-width letters and stops', 'ann@ｅｘａｍｐｌｅ。ｃｏｍ', 'ann@example.com'],
    ['a decomposed mailbox', 'andre\u0301@example.com', 'andr\u00e9@example.com'],
    ['a composed mailbox in capitals', 'ANDR\u00c9@example.com', 'andr\u00e9@example.com'],
    ['quotes that are not needed', '"ann"@example.com', 'ann@example.com'],
    ['escapes that are not needed', '"a\\nn"@example.com', 'ann@example.com'],
  ])('%s', (_, text, expected) => expect(normalised(text)).toBe(expected));

  test.each([
    ['a tag', 'ann+news@example.com'],
    ['dots', 'a.n.n@gmail.com'],
    ['a full-width mailbox', '\uff41nn@example.com'],
    ['an apostrophe', "o'neill@example.com"],
    ['quotes that are needed', '"ann lee"@example.com'],
    ['an @ and a quote inside quotes', '"a@\\"b"@example.com'],
    ['an empty quoted mailbox', '""@example.com'],
  ])('%s stays', (_, text) => expect(normalised(text)).toBe(text));

  test('normalising twice changes nothing, for whatever is an address', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.emailAddress(),
          fc.string({ unit: 'grapheme' }).map((s) => `${s}@example.com`),
        ),
        (text) => {
          const once = parseAddress(text);
          if (!once.ok) return;
          expect(normalised(once.address.normalised)).toBe(once.address.normalised);
          expect(normalised(`${once.address.local}@${once.address.domain}`)).toBe(once.address.normalised);
        },
      ),
    );
  });
});

test('what was written is kept beside what is compared', () => {
  expect(parseAddress(' Ann@BÜCHER.example ')).toEqual({
    ok: true,
    address: {
      local: 'Ann',
      domain: 'xn--bcher-kva.example',
      normalised: 'ann@xn--bcher-kva.example',
      shown: 'Ann@BÜCHER.example',
      utf8_local: false,
    },
  });
  expect(parseAddress('andré@example.com')).toMatchObject({ address: { utf8_local: true } });
});

describe('what is not an address is refused and not repaired', () => {
  test.each([
    ['', 'empty'],
    [' \n', 'empty'],
    ['Ann <ann@example.com>', 'not_bare'],
    ['<ann@example.com>', 'not_bare'],
    ['"Lee, Ann" <ann@example.com>', 'not_bare'],
    ['mailto:ann@example.com', 'not_bare'],
    ['ann@example.com, bob@example.com', 'not_bare'],
    ['ann@example.com;bob@example.com', 'not_bare'],
    ['ann.example.com', 'no_at'],
    ['ann＠example.com', 'no_at'],
    ['@example.com', 'local_missing'],
    ['ann@', 'domain_missing'],
    ['ann lee@example.com', 'local_character'],
    ['ann\u200b@example.com', 'local_character'],
    ['ann\u0000@example.com', 'local_character'],
    ['ann\ud800@example.com', 'local_character'],
    ['"ann\r\nRCPT"@example.com', 'local_character'],
    ['"ann@example.com', 'local_character'],
    ['an"n"@example.com', 'local_character'],
    ['.ann@example.com', 'local_dots'],
    ['ann.@example.com', 'local_dots'],
    ['a..n@example.com', 'local_dots'],
    ['ann@[192.0.2.1]', 'domain_literal'],
    ['ann@192.0.2.1', 'domain_literal'],
    ['ann@0x7f.1', 'domain_literal'],
    ['ann@localhost', 'domain_not_full'],
    ['ann@exa mple.com', 'domain_malformed'],
    ['ann@exa_mple.com', 'domain_malformed'],
    ['ann@-example.com', 'domain_malformed'],
    ['ann@example-.com', 'domain_malformed'],
    ['ann@example..com', 'domain_malformed'],
    ['ann@.example.com', 'domain_malformed'],
    ['ann@example.com/x', 'domain_malformed'],
    ['ann@example.com:25', 'domain_malformed'],
    ['ann@exam%70le.com', 'domain_malformed'],
    ['ann@example.com／x', 'domain_malformed'],
    ['ann@exa\u00admple.com', 'domain_malformed'],
    [`ann@${'a'.repeat(64)}.com`, 'domain_malformed'],
    [`${'é'.repeat(33)}@example.com`, 'local_too_long'],
    [`${'a'.repeat(65)}@example.com`, 'local_too_long'],
    [`${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(60)}.com`, 'too_long'],
    ['a'.repeat(3_000), 'too_long'],
  ])('%j is %s', (text, why) => expect(parseAddress(text)).toEqual({ ok: false, why }));

  test('64 octets before the @ and 254 in all are an address', () => {
    const longest = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.com`;
    expect(longest).toHaveLength(254);
    expect(normalised(longest)).toBe(longest);
  });

  test('whatever the text, the answer is a value and the sentence is short', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        for (const each of [parseAddress(text), normaliseDomain(text)])
          if (!each.ok) expect(ADDRESS_SAYS[each.why].length).toBeLessThan(300);
      }),
    );
  });
});

test('a domain is written in one way', () => {
  expect(normaliseDomain('WWW.Example.COM.')).toEqual({ ok: true, domain: 'www.example.com' });
  expect(normaliseDomain('faß.example')).toEqual({ ok: true, domain: 'xn--fa-hia.example' });
  expect(normaliseDomain('')).toEqual({ ok: false, why: 'empty' });
});

test('a suppressed value is known by its hash, whose form never changes', () => {
  expect(addressHash('ann@example.com')).toMatch(/^[0-9a-f]{64}$/);
  expect(addressHash(normalised('Ann@Example.com'))).toBe(addressHash('ann@example.com'));
  expect(addressHash('ann@example.com')).not.toBe(addressHash('ann@example.org'));
});
