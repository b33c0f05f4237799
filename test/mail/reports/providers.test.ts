// Reports in the shapes that the large providers and the filters before mailboxes give them, each written for this test.
import { describe, expect, test } from 'vitest';
import { block, dsn, fields, from, multipart, only, plain } from './letters.ts';

describe('Exchange', () => {
  const desk = 'postmaster@example.org';
  const page = (html: string): string =>
    `${from(`Microsoft Outlook <${desk}>`, 'Undeliverable: A question')}Content-Type: text/html; charset=utf-8\n\n<html><body>${html}</body></html>`;

  test('a page with the diagnostic for administrators alone', async () => {
    const text = page(
      `<p><b>Delivery has failed to these recipients or groups:</b></p><p><a href="mailto:ada@example.org">ada@example.org</a><br>The email address you entered couldn't be found. Please check the recipient's email address and try to resend the message.</p><p><b>Diagnostic information for administrators:</b></p><p>Generating server: EX1.example.org</p><p>ada@example.org<br>Remote Server returned '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ada@example.org not found by SMTP address lookup'</p>`,
    );
    expect(await only(text)).toMatchObject({ kind: 'hard', status: '5.1.10', recipient: 'ada@example.org' });
  });

  test('a group that only members may write to', async () => {
    const text = multipart(from(desk, 'Undeliverable: A question'), [
      {
        type: 'text/plain',
        body: "Your message to team@example.org couldn't be delivered.\n\nThe group team only accepts messages from people in its organization or on its allowed senders list.\n",
      },
      fields(
        block(
          'failed',
          '5.7.133',
          '550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; Delivery restriction check failed',
          'team@example.org',
        ),
      ),
    ]);
    expect(await only(text)).toMatchObject({ kind: 'policy', recipient: 'team@example.org' });
  });

  test.each([
    [
      'policy',
      '5.7.606',
      '550 5.7.606 Access denied, banned sending IP [192.0.2.7]. To request removal see https://list.example/',
    ],
    ['policy', '5.7.511', '550 5.7.511 Access denied, banned sender[192.0.2.7].'],
    [
      'policy',
      '5.7.515',
      '550 5.7.515 Access denied, sending domain DUNNOCK.EXAMPLE does not meet the required authentication level.',
    ],
    [
      'policy',
      '5.7.1',
      "550 5.7.1 Unfortunately, messages from [192.0.2.7] weren't sent. Your network is on our block list (S3140).",
    ],
    ['policy', '5.1.8', '550 5.1.8 Access denied, bad outbound sender'],
    [
      'policy',
      '5.2.121',
      '550 5.2.121 RecipientSenderRateLimited; messages to this recipient from this sender',
    ],
    ['soft', '5.2.2', '554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException'],
    ['soft', '5.4.14', '554 5.4.14 Hop count exceeded - possible mail loop ATTR34'],
    ['soft', '5.4.316', '550 5.4.316 Message expired, connection refused'],
    ['soft', '5.4.312', '550 5.4.312 Message expired, DNS query failed'],
    ['hard', '5.4.310', '550 5.4.310 DNS domain exampel.org does not exist [Message=InfoDomainNonexistent]'],
    [
      'hard',
      '5.4.1',
      '550 5.4.1 Recipient address rejected: Access denied. [host.edge.example 2026-11-01T10:00:00.000Z]',
    ],
  ])('%s %s: %s', async (kind, status, diagnostic) => {
    const text = multipart(from(desk, 'Undeliverable: A question'), [
      { type: 'text/html', body: '<p>Your message could not be delivered.</p>' },
      fields(block('failed', status, diagnostic), 'EX1.example.org'),
    ]);
    expect(await only(text)).toMatchObject({ kind, recipient: 'ada@example.org' });
  });

  test('a report in another language rests on its fields', async () => {
    const text = multipart(from(desk, 'Unzustellbar: A question'), [
      {
        type: 'text/plain',
        body: 'Fehler bei der Nachrichtenzustellung an folgende Empfänger oder Gruppen:\n\nada@example.org\n',
      },
      fields(block('failed', '5.1.1', '550 5.1.1 RESOLVER.ADR.RecipNotFound; not found')),
    ]);
    expect(await only(text)).toMatchObject({ kind: 'hard', recipient: 'ada@example.org' });
  });
});

describe('Gmail', () => {
  const daemon = 'Mail Delivery Subsystem <mailer-daemon@googlemail.example>';
  const failed = 'X-Failed-Recipients: ada@example.org\nAuto-Submitted: auto-replied\n';

  test('address not found', async () => {
    const text = multipart(from(daemon, 'Delivery Status Notification (Failure)', failed), [
      {
        type: 'text/plain',
        body: "** Address not found **\n\nYour message wasn't delivered to ada@example.org because the address couldn't be found, or is unable to receive mail.\n\nThe response from the remote server was:\n\n550 5.1.1 The email account that you tried to reach does not exist.\n",
      },
      fields(block('failed', '5.1.1', '550-5.1.1 The email account that you tried to reach does not exist.')),
    ]);
    expect(await only(text)).toMatchObject({ kind: 'hard', recipient: 'ada@example.org', smtp_code: '550' });
  });

  test('address not found, without its fields', async () => {
    const text = plain(
      daemon,
      'Delivery Status Notification (Failure)',
      "** Address not found **\n\nYour message wasn't delivered to ada@example.org because the address couldn't be found, or is unable to receive mail.\n\nLearn more here: https://support.example/mail/?p=NoSuchUser\n\nThe response was:\n\nThe email account that you tried to reach does not exist. Please try double-checking the recipient's email address.\n",
      failed,
    );
    expect(await only(text)).toMatchObject({ kind: 'hard', recipient: 'ada@example.org' });
  });

  test('a domain that receives no mail', async () => {
    const text = plain(
      daemon,
      'Delivery Status Notification (Failure)',
      "** Address not found **\n\nYour message wasn't delivered to ada@example.org because the domain example.org couldn't be found.\n\nThe response was:\n\nThe domain example.org doesn't receive email according to the administrator: returned Null MX\n",
      failed,
    );
    expect(await only(text)).toMatchObject({ kind: 'hard', recipient: 'ada@example.org' });
  });

  test('message blocked', async () => {
    const text = plain(
      daemon,
      'Delivery Status Notification (Failure)',
      '** Message blocked **\n\nYour message to ada@example.org has been blocked. See technical details below for more information.\n\nThe response from the remote server was:\n\n550 5.7.26 Your email has been blocked because the sender is unauthenticated. Gmail requires all senders to authenticate with either SPF or DKIM.\n',
      failed,
    );
    expect(await only(text)).toMatchObject({ kind: 'policy', diagnostic_class: 'authentication' });
  });

  test('delivery incomplete is a delay', async () => {
    const text = multipart(from(daemon, 'Delivery Status Notification (Delay)', failed), [
      {
        type: 'text/plain',
        body: '** Delivery incomplete **\n\nThere was a temporary problem delivering your message to ada@example.org. Gmail will retry for 46 more hours.\n\nThe response was:\n\nThe recipient server did not accept our requests to connect.\n',
      },
      fields(block('delayed', '4.4.1', '')),
    ]);
    expect(await only(text)).toMatchObject({ kind: 'soft', action: 'delayed' });
  });

  test('over quota', async () => {
    const said = "552-5.2.2 The recipient's inbox is out of storage space and inactive.";
    expect(await only(dsn(block('failed', '5.2.2', said)))).toMatchObject({
      kind: 'soft',
      diagnostic_class: 'mailbox_full',
    });
  });
});

describe('Yahoo', () => {
  test.each([
    [
      'policy',
      'failed',
      '4.7.0',
      '421 4.7.0 [TSS04] Messages from 192.0.2.7 temporarily deferred due to unexpected volume or user complaints',
    ],
    [
      'soft',
      'delayed',
      '4.7.0',
      '421 4.7.0 [TSS04] Messages from 192.0.2.7 temporarily deferred due to unexpected volume or user complaints',
    ],
    [
      'policy',
      'failed',
      '5.7.9',
      '554 5.7.9 Message not accepted for policy reasons. See https://postmaster.example/error-codes',
    ],
    [
      'soft',
      'failed',
      '5.0.0',
      '554 30 Sorry, your message to ada@example.org cannot be delivered. This mailbox is disabled (554.30).',
    ],
    [
      'hard',
      'failed',
      '5.0.0',
      "554 delivery error: dd This user doesn't have a example.org account (ada@example.org) [0]",
    ],
  ])('%s, %s %s: %s', async (kind, action, status, diagnostic) => {
    expect(await only(dsn(block(action, status, diagnostic)))).toMatchObject({ kind });
  });
});

describe('filters at the entry point', () => {
  test.each([
    [
      'Mimecast',
      'policy',
      '550 Administrative prohibition - envelope blocked - https://community.example/docs#550',
    ],
    [
      'Mimecast',
      'policy',
      '550 Rejected by header based manually Blocked Senders: sender@dunnock.example - https://community.example/docs#550',
    ],
    [
      'Mimecast',
      'policy',
      '550 Anti-Spoofing policy - Inbound not allowed - https://community.example/docs#550',
    ],
    ['Mimecast', 'policy', '550 Invalid Recipient - https://community.example/docs#550'],
    ['Proofpoint', 'policy', '554 Blocked - see https://ipcheck.example/?ip=192.0.2.7'],
    ['Proofpoint', 'policy', '550 5.7.0 Local Policy Violation'],
    ['Proofpoint', 'hard', '550 5.1.1 User Unknown'],
    ['Barracuda', 'policy', '550 permanent failure for one or more recipients (ada@example.org:blocked)'],
    [
      'Barracuda',
      'policy',
      '554 Service unavailable; Client host [mail.dunnock.example] blocked by bl.example; Delivery not authorized, message refused',
    ],
    [
      'Cisco',
      'policy',
      "554 Your access to this mail system has been rejected due to the sending MTA's poor reputation.",
    ],
    ['Cisco', 'hard', '550 #5.1.0 Address rejected.'],
    ['Trend Micro', 'policy', '550 5.7.1 Mail from 192.0.2.7 rejected using an address reputation service'],
    [
      'GMX',
      'policy',
      '554-No SMTP service 554-IP address is black listed. 554 For explanation visit https://postmaster.example/',
    ],
    ['T-Online', 'policy', '554 IP=192.0.2.7 - A problem occurred. (Ask your postmaster for help.)'],
  ])('%s, %s: %s', async (_, kind, diagnostic) => {
    expect(
      await only(dsn(block('failed', /[45]\.\d\.\d+/.exec(diagnostic)?.[0] ?? '5.0.0', diagnostic))),
    ).toMatchObject({ kind });
  });
});

describe('how often one connects is the moment, and how much one sends is the sender', () => {
  test.each([
    ['soft', '5.0.0', '550 Ip frequency limited (in reply to MAIL FROM command)'],
    ['soft', '5.0.0', '550 Connection frequency limited'],
    ['policy', '5.0.0', '550 User frequency limited'],
    [
      'soft',
      '5.1.0',
      '550 5.1.0 <back@dunnock.example> sender rejected. Please see https://help.example/codes for more information. AUP#In-1310',
    ],
    [
      'policy',
      '5.1.0',
      '550 5.1.0 <back@dunnock.example> sender rejected. Please see https://help.example/codes for more information. AUP#In-1010',
    ],
  ])('%s, %s: %s', async (kind, status, diagnostic) => {
    const text = dsn(block('failed', status, diagnostic));
    expect(await only(text)).toMatchObject({ kind });
  });
});
