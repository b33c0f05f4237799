// Automatic answers, known by their headers alone.
import { describe, expect, test } from 'vitest';
import { read } from './letters.ts';

const from = (headers: string, body = 'I am away until Monday.'): string =>
  `From: Ada <ada@example.org>\nTo: sender@dunnock.example\nIn-Reply-To: <letter-1@dunnock.example>\n${headers}\n${body}`;

describe('automatic answers', () => {
  test.each([
    ['Auto-Submitted: auto-replied (vacation)\nSubject: Re: A question\n', 'auto_submitted'],
    ['Auto-Submitted: auto-generated\nSubject: Re: A question\n', 'auto_submitted'],
    ['X-Autoreply: yes\nSubject: Re: A question\n', 'responder_header'],
    ['X-POST-MessageClass: 9; Autoresponder\nSubject: Re: A question\n', 'responder_header'],
    ['Precedence: auto_reply\nSubject: Re: A question\n', 'responder_header'],
    ['Return-Path: <>\nSubject: Re: A question\n', 'null_return_path'],
    ['Subject: Automatic reply: A question\n', 'subject'],
    ['Subject: Abwesenheitsnotiz: A question\n', 'subject'],
    ['Subject: =?utf-8?B?UsOpcG9uc2UgYXV0b21hdGlxdWU=?= : A question\n', 'subject'],
  ])('%j: %s', async (headers, signal) => {
    const found = await read(from(headers));
    expect(found).toMatchObject({ kind: 'automatic', automatic: signal });
    expect(found.reports).toMatchObject([
      { kind: 'automatic', recipient: 'ada@example.org', original_message_id: 'letter-1@dunnock.example' },
    ]);
  });

  test.each([
    'Auto-Submitted: no\nSubject: Re: A question\n',
    'X-Auto-Response-Suppress: All\nSubject: Re: A question\n',
    'Precedence: bulk\nSubject: Re: A question\n',
    'Return-Path: <ada@example.org>\nSubject: Re: A question\n',
    'Subject: Re: Automatic reply: A question\n',
    'Subject: Autonomous systems\n',
  ])('%j is a person', async (headers) => {
    expect(await read(from(headers))).toMatchObject({ kind: 'none', automatic: null, reports: [] });
  });
});
