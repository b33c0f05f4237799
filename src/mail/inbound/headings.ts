// The heading of a quoted letter without `>` before its lines: the rule “Original Message”, and the block with from,
// date, to and subject. All four are required, because people also write “To:” in letters.

const RULES = [
  'original message',
  'original e-?mail',
  'reply message',
  'forwarded (?:message|by .{1,80})',
  'ursprüngliche (?:nachricht|mitteilung|e-?mail)',
  'original-?nachricht',
  'weitergeleitete nachricht',
  "message d['’]origine",
  'message original',
  'message transféré',
  'mensaje (?:original|reenviado)',
  'messaggio (?:originale|inoltrato)',
  'mensagem (?:original|encaminhada)',
  '(?:oorspronkelijk|origineel|doorgestuurd) bericht',
  '(?:originalmeddelande|ursprungligt meddelande|vidarebefordrat meddelande)',
  '(?:oprindelig|videresendt) (?:meddelelse|besked)',
  '(?:opprinnelig|videresendt) melding',
  '(?:alkuperäinen|välitetty) viesti',
  '(?:wiadomość oryginalna|oryginalna wiadomość|treść oryginalnej wiadomości|przekazana wiadomość)',
  '(?:původní|přeposlaná) zpráva',
  '(?:eredeti|továbbított) üzenet',
  'mesaj (?:original|redirecționat)',
  '(?:özgün|orijinal) (?:ileti|mesaj)',
  'iletilen mesaj',
  '(?:исходное|оригинальное|пересылаемое|пересланное) (?:сообщение|письмо)',
  '(?:оригінальне|вихідне|переслане) повідомлення',
  '原始邮件|邮件原件|原始郵件|转发邮件信息|轉寄郵件|转发的邮件|元のメッセージ|オリジナルメッセージ|転送メッセージ|転送されたメッセージ|원본 메일|원본 메시지|전달된 메시지',
].join('|');

const RULE = new RegExp(String.raw`^[-=_*\s]*(?:[-_=*]{2,}|─{2,})\s*(?:${RULES})\s*:?\s*[-=_*─\s]*$`, 'iu');
const BEGIN =
  /^(?:begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-?mail)|début du message (?:réexpédié|transféré)|inicio del mensaje reenviado|inizio messaggio inoltrato|início da mensagem (?:encaminhada|reenviada)|begin doorgestuurd bericht|vidarebefordrat brev|начало переадресованного сообщения|開始轉寄郵件|以下是转发的邮件|転送されたメッセージ)\s*[:：]$/iu;

/** The four fields, by what they are called. */
const FIELDS: readonly (readonly [string, string])[] = [
  [
    'from',
    'from|von|de|da|van|från|fra|lähettäjä|od|odesílatel|feladó|от|отправитель|від|kimden|gönderen|发件人|寄件者|差出人|보낸 ?사람|보낸사람|de la|expéditeur|remitente|mittente',
  ],
  [
    'sent',
    'sent|date|gesendet|datum|envoyé(?: le)?|enviado(?: el| em)?|fecha|inviato|data|verzonden|skickat|sendt|dato|lähetetty|päivämäärä|päiväys|wysłano|wysłane|odesláno|odoslané|elküldve|dátum|отправлено|дата|надіслано|gönderildi|tarih|发送时间|发送日期|日期|寄件日期|送信日時|日時|日付|보낸 ?날짜|날짜|trimis',
  ],
  [
    'to',
    'to|an|à|a|para|per|aan|till|til|vastaanottaja|do|komu|címzett|кому|kime|alıcı|收件人|收件者|宛先|받는 ?사람|către|destinataire|destinatario|destinatário',
  ],
  [
    'subject',
    'subject|betreff|objet|asunto|oggetto|assunto|onderwerp|ämne|emne|aihe|temat|předmět|predmet|tárgy|тема|konu|主题|主旨|件名|제목|subiect',
  ],
];
const FIELD = new RegExp(
  String.raw`^[>\s*_]*(?:${FIELDS.map(([name, words]) => `(?<${name}>${words})`).join('|')})[*_]*\s?[:：]`,
  'iu',
);
/** Lines that the four may be spread over: To and Cc may be long. */
const BLOCK_LINES = 14;

export const isRule = (line: string): boolean =>
  line.length <= 200 && (RULE.test(line) || BEGIN.test(line.trim()));

/** Whether the block begins in this line, with whichever of the four. */
export function isBlock(lines: readonly string[], at: number): boolean {
  if (fieldOf(lines[at] ?? '') === null) return false;
  const seen = new Set<string>();
  for (const line of lines.slice(at, at + BLOCK_LINES)) {
    const field = fieldOf(line);
    if (field !== null) seen.add(field);
    if (seen.size === FIELDS.length) return true;
  }
  return false;
}

function fieldOf(line: string): string | null {
  const groups = FIELD.exec(line.slice(0, 80))?.groups;
  return FIELDS.find(([name]) => groups?.[name] !== undefined)?.[0] ?? null;
}
