// Whether a letter came from whom it says: stamps that are believed, and those that whoever wrote it could have put there.
import { expect, test } from 'vitest';
import { readHeader } from '../reports/fields.ts';
import { authenticationIn } from './authenticity.ts';

const read = (...lines: string[]) => authenticationIn(readHeader(`${lines.join('\r\n')}\r\n\r\n`));

const BY_US = 'Received: from a.example (a.example [192.0.2.1]) by mx.desk.example with ESMTPS id 1';

test('what our own server stamped is read, folded, with comments in it', () => {
  expect(
    read(
      BY_US,
      'Authentication-Results: mx2.desk.example 1; (a (nested; spf=pass) one)',
      '\tdkim=fail reason="spf=pass" header.d=a.example; dkim=pass header.d=b.example;',
      '\tspf=softfail smtp.mailfrom=a.example; dmarc=fail (p=NONE) header.from=a.example',
    ),
  ).toEqual({ spf: 'fail', dkim: 'pass', dmarc: 'fail' });
});

test('a stamp under any other name is no one’s word', () => {
  const forged = 'Authentication-Results: mx.evil.example; dmarc=pass';
  expect(read(BY_US, forged)).toBeNull();
  expect(read(forged)).toBeNull();
  expect(read(BY_US, 'Authentication-Results: mx.desk.example; dmarc=fail', forged)?.dmarc).toBe('fail');
});

test('a provider that takes letters under one name and stamps them under another is believed', () => {
  const by = 'Received: from a.example by inbound-smtp.us-east-1.amazonaws.com with SMTP id z';
  const stamp = 'Authentication-Results: amazonses.com; spf=pass; dkim=pass header.i=@a.example; dmarc=pass';
  expect(read(by, stamp)).toEqual({ spf: 'pass', dkim: 'pass', dmarc: 'pass' });
  expect(read(BY_US, stamp)).toBeNull();
});

test.each([
  'ec2-192-0-2-7.compute-1.amazonaws.com',
  'inbound-smtp.us-east-1.amazonaws.com.ec2-192-0-2-7.compute-1.amazonaws.com',
  'inbound-smtp.ec2-192-0-2-7.compute-1.amazonaws.com',
  'x-inbound-smtp.us-east-1.amazonaws.com',
])('a machine that anybody rents there, %s, stamps nothing in that name', (host) => {
  const stamp = 'Authentication-Results: amazonses.com; spf=pass; dkim=pass; dmarc=pass';
  expect(read(`Received: from a.example by ${host} with SMTP id z`, stamp)).toBeNull();
});

test('the first that our server said counts, whatever is below it under its name', () => {
  expect(
    read(
      'Authentication-Results: mx.desk.example; dmarc=fail',
      BY_US,
      'Authentication-Results: mx.desk.example; dmarc=pass',
    )?.dmarc,
  ).toBe('fail');
});

test('hosts without a public name are passed over, as within a large provider', () => {
  expect(
    read(
      'Received: by 2002:a05:6a10 with SMTP id x; Mon, 2 Mar 2026 00:00:00 -0800',
      'Received: from a.example by mx.google.com with ESMTPS id y',
      'Authentication-Results: mx.google.com; spf=none; dmarc=fail header.from=a.example',
    ),
  ).toEqual({ spf: 'none', dkim: null, dmarc: 'fail' });
});

test('a provider that names itself nowhere is believed where the letter came through it', () => {
  const stamp =
    'Authentication-Results: spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=a.example; dmarc=bestguesspass';
  expect(read('Received: from x by AM0PR01.eurprd01.prod.outlook.com with HTTPS', stamp)).toMatchObject({
    spf: 'pass',
    dmarc: 'pass',
  });
  expect(read(BY_US, stamp)).toBeNull();
});

test('what could not be found out is no failure', () => {
  expect(read(BY_US, 'Authentication-Results: mx.desk.example; dmarc=temperror; spf=permerror')).toBeNull();
});
