// The small parts of composing: envelope senders, threads, subjects, fingerprints, and text from HTML.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { Secret } from '../../../src/kernel/secret.ts';
import { letterFingerprint } from '../../../src/mail/compose/fingerprint.ts';
import { textFromHtml } from '../../../src/mail/compose/text.ts';
import { newMessageId, referencesTo, replySubject } from '../../../src/mail/compose/thread.ts';
import { readVerp, verp } from '../../../src/mail/compose/verp.ts';

describe('the envelope sender of a letter', () => {
  const key = new Secret('a key of the instance');
  const id = newId();
  const address = verp(id, key, 'sender.example');

  test('names the send, within the limits of a mailbox', () => {
    expect(address).toMatch(/^bounce\+[0-9a-f-]{36}\.[0-9a-f]{16}@sender\.example$/);
    expect(address.indexOf('@')).toBeLessThanOrEqual(64);
    expect(readVerp(address, key)).toBe(id);
  });

  test('survives relays that change its case', () => {
    expect(readVerp(address.toUpperCase(), key)).toBe(id);
  });

  test('survives an alias that puts its own mailbox in front of the plus', () => {
    expect(readVerp(address.replace('bounce+', 'ann+'), key)).toBe(id);
    expect(readVerp(address.replace('bounce+', ''), key)).toBeNull();
  });

  test('is not believed from anyone else', () => {
    expect(readVerp(address, new Secret('another key'))).toBeNull();
    expect(readVerp(address.replace('sender.example', 'other.example'), key)).toBeNull();
    expect(readVerp(address.replace(id, newId()), key)).toBeNull();
    expect(readVerp('bo@sender.example', key)).toBeNull();
    fc.assert(fc.property(fc.string(), (text) => readVerp(`bounce+${text}@sender.example`, key) === null));
  });
});

describe('a letter in a thread', () => {
  test('has an id of its own on our domain', () => {
    expect(newMessageId('sender.example')).toMatch(/^<[0-9a-f-]{36}@sender\.example>$/);
    expect(newMessageId('sender.example')).not.toBe(newMessageId('sender.example'));
  });

  test("refers to its parent behind the parent's own references", () => {
    const parent = { message_id: '<c@x>', references: ['<a@x>', '<b@x>'], in_reply_to: '<b@x>' };
    expect(referencesTo(parent)).toEqual(['<a@x>', '<b@x>', '<c@x>']);
    expect(referencesTo({ ...parent, references: [] })).toEqual(['<b@x>', '<c@x>']);
    expect(referencesTo({ ...parent, references: [], in_reply_to: null })).toEqual(['<c@x>']);
  });

  test('keeps the first when a thread is long, and nothing that is no id', () => {
    const references = Array.from({ length: 200 }, (_, at) => `<${at}@x>`);
    const kept = referencesTo({
      message_id: '<last@x>',
      references: [...references, 'x\r\nBcc: y', '<a b@x>'],
      in_reply_to: null,
    });
    expect(kept).toHaveLength(30);
    expect([kept[0], kept.at(-2), kept.at(-1)]).toEqual(['<0@x>', '<199@x>', '<last@x>']);
  });

  test.each([
    ['The mill', 'Re: The mill'],
    ['Re: The mill', 'Re: The mill'],
    ['RE: The mill', 'RE: The mill'],
    ['Re[2]: The mill', 'Re[2]: The mill'],
    ['AW: Die Mühle', 'AW: Die Mühle'],
    ['Reading: The mill', 'Re: Reading: The mill'],
    ['', 'Re:'],
  ])('the subject %j is answered as %j', (subject, reply) => expect(replySubject(subject)).toBe(reply));
});

describe('the fingerprint of a letter', () => {
  const letter = {
    from: { name: 'Ada', address: 'ada@sender.example' },
    reply_to: null,
    to: ['bo@example.org'],
    cc: [],
    subject: 'The mill',
    text: 'Hello',
    html: null,
    attachments: [{ filename: 'a.txt', content_type: 'text/plain', content: Buffer.from('one') }],
  };
  const [attachment] = letter.attachments;
  const changes = {
    'the name': { from: { ...letter.from, name: 'Eve' } },
    'the address': { from: { ...letter.from, address: 'eve@sender.example' } },
    'where answers go': { reply_to: 'eve@sender.example' },
    'who gets it': { to: ['eve@example.org'] },
    'a copy': { cc: ['eve@example.org'] },
    'a copy in place of a recipient': { to: [], cc: ['bo@example.org'] },
    'the subject': { subject: 'The mall' },
    'the text': { text: 'Hallo' },
    'a line between subject and text': { subject: 'The millH', text: 'ello' },
    'an HTML part, though empty': { html: '' },
    'a file': { attachments: [{ ...attachment!, content: Buffer.from('two') }] },
    'the name of a file': { attachments: [{ ...attachment!, filename: 'b.txt' }] },
    'no file': { attachments: [] },
  };
  test.each(Object.entries(changes))('changes with %s', (_, change) => {
    expect(letterFingerprint({ ...letter, ...change })).not.toBe(letterFingerprint(letter));
  });
  test('is the same for the same letter, and opaque', () => {
    expect(letterFingerprint(structuredClone(letter))).toBe(letterFingerprint(letter));
    expect(letterFingerprint(letter)).toMatch(/^[\w-]{43}$/);
  });
});

describe('the text of HTML', () => {
  test.each([
    ['<p>Hello&nbsp;Bo,</p>\n<p>how are\nyou?<br>Ada</p>', 'Hello Bo,\n\nhow are you?\nAda'],
    ['<h1>Plan</h1><ul><li>one</li><li><p>two</p></li></ul>', 'Plan\n\n- one\n- two'],
    ['<a href="https://a.example/?x=1&amp;y=2">here</a>', 'here (https://a.example/?x=1&y=2)'],
    [
      '<a href="https://a.example">https://a.example</a> <a href="mailto:a@b.example">a@b.example</a>',
      'https://a.example a@b.example',
    ],
    ['<a href="javascript:alert(1)">press</a>', 'press'],
    ['<img src="x" alt="Our mill"> 1 &lt; 2 &amp;amp; 3', 'Our mill 1 < 2 &amp; 3'],
    ['<style>p{}</style><script>x()</script><title>t</title>words', 'words'],
    ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
    ['', ''],
  ])('%j', (html, text) => expect(textFromHtml(html)).toBe(text));

  test('no tag is left, and no input takes long', () => {
    fc.assert(
      fc.property(
        fc.string(),
        (text) => !/<(p|a|script)\b/.test(textFromHtml(`<p>${text.replaceAll('&', '')}</p>`)),
      ),
    );
    expect(textFromHtml('<a href="https://a.example">'.repeat(3_000)).length).toBeGreaterThan(0);
    expect(textFromHtml(`${'<'.repeat(200_000)}`).length).toBeGreaterThan(0);
  });
});
