// The name of a file that came without one, by its type: an invitation is `invite.ics`.

const NAMES: ReadonlyMap<string, string> = new Map([
  ['text/calendar', 'invite.ics'],
  ['application/ics', 'invite.ics'],
  ['text/vcard', 'contact.vcf'],
  ['text/x-vcard', 'contact.vcf'],
  ['text/plain', 'text.txt'],
  ['text/html', 'page.html'],
  ['text/csv', 'table.csv'],
  ['text/rfc822-headers', 'headers.txt'],
  ['message/rfc822', 'message.eml'],
  ['message/global', 'message.eml'],
  ['message/delivery-status', 'delivery-status.txt'],
  ['message/disposition-notification', 'receipt.txt'],
  ['application/pdf', 'document.pdf'],
  ['application/zip', 'archive.zip'],
  ['application/json', 'data.json'],
  ['application/pgp-signature', 'signature.asc'],
  ['application/pgp-keys', 'key.asc'],
  ['application/pkcs7-signature', 'smime.p7s'],
  ['application/x-pkcs7-signature', 'smime.p7s'],
  ['application/pkcs7-mime', 'smime.p7m'],
  ['application/msword', 'document.doc'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'document.docx'],
  ['application/vnd.ms-excel', 'table.xls'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'table.xlsx'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'slides.pptx'],
  ['image/jpeg', 'image.jpg'],
  ['image/svg+xml', 'image.svg'],
  ['audio/mpeg', 'audio.mp3'],
  ['audio/wav', 'audio.wav'],
  ['video/mp4', 'video.mp4'],
]);

/** `image/png` is `image.png`; of a type that says nothing, `file`. */
export function nameByType(content_type: string): string {
  const known = NAMES.get(content_type);
  if (known !== undefined) return known;
  const [, kind, ending] = /^(image|audio|video)\/([a-z0-9]{2,5})$/.exec(content_type) ?? [];
  return kind === undefined ? 'file' : `${kind}.${ending}`;
}
