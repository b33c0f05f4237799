// What an approval is for: sender, recipients, words and attachments of a send as one opaque text. An attachment is in it
// by its hash, so that no bytes are read to know it.
import { letterFingerprint } from '../../../../mail/compose/fingerprint.ts';

export type LetterWords = {
  from: { name: string; address: string; reply_to: string | null } | null;
  to_address: string;
  cc: readonly string[];
  subject: string;
  text: string;
  html: string | null;
  attachments: readonly { filename: string; media_type: string; sha256: string }[];
};

export const fingerprintOf = ({
  from,
  to_address,
  cc,
  subject,
  text,
  html,
  attachments,
}: LetterWords): string =>
  letterFingerprint({
    from: { name: from?.name ?? null, address: from?.address ?? '' },
    reply_to: from?.reply_to ?? null,
    to: [to_address],
    cc,
    subject,
    text,
    html,
    attachments: attachments.map(({ filename, media_type, sha256 }) => ({
      filename,
      content_type: media_type,
      content: Buffer.from(sha256, 'utf8'),
    })),
  });
