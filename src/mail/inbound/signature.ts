// Where a letter’s signature begins: the mark `-- ` of RFC 3676, and the line in which a phone or mail client
// advertises itself.

/** Longer than this below `--` without its space, and it is a rule in the text. */
const MOST_LINES = 15;

const ADVERT = new RegExp(
  `^\\s*(?:${[
    'sent (?:from|via|with|using) (?:my |the |a )?.{2,60}',
    'get outlook for .{2,80}',
    'von meinem .{2,40} gesendet',
    'gesendet (?:von|mit|aus) .{2,60}',
    'diese nachricht wurde von meinem .{2,60}',
    'outlook für .{2,40}',
    'envoyé (?:de|depuis|à partir de|avec) .{2,60}',
    'télécharger outlook .{2,60}',
    'enviado (?:desde|do|de|a partir do|con|com) .{2,60}',
    'obtener outlook .{2,60}',
    'obter o outlook .{2,60}',
    'inviato (?:da|dal|con) .{2,60}',
    'ottieni outlook .{2,60}',
    '(?:verzonden|verstuurd) (?:vanaf|met|via) .{2,60}',
    'skickat från .{2,60}',
    'sendt fra .{2,60}',
    'lähetetty .{2,60}',
    'wysłan[eoy] z .{2,60}',
    'odesláno z .{2,60}',
    'отправлено (?:с|из) .{2,60}',
    'надіслано з .{2,60}',
    '.{1,20}(?:から送信|から送信されました)',
    '(?:发自|發自)我?的?.{1,30}',
    '나의 .{1,20}에서 보냄',
    '.{2,20}(?:dan|den|ımdan) gönderildi',
  ].join('|')})\\s*$`,
  'iu',
);

/** The line where the signature begins, blank lines above it not counted; the number of lines where there is none. */
export function signatureStart(lines: readonly string[]): number {
  const end = lines.length;
  for (let at = 1; at < end; at++) {
    const line = lines[at] as string;
    const marked = line === '-- ' || line === '\u2014 ' || (line === '--' && end - at <= MOST_LINES);
    if (marked && lines.slice(0, at).some((each) => each.trim() !== '')) return at;
  }
  return advertStart(lines);
}

function advertStart(lines: readonly string[]): number {
  let at = lines.length;
  while (at > 0 && /^[\s_─=-]*$/.test(lines[at - 1] as string)) at -= 1;
  if (at > 0 && (lines[at - 1] as string).length <= 120 && ADVERT.test(lines[at - 1] as string))
    return at - 1;
  return lines.length;
}
