// What mail servers say in words, in the general forms that many of them share, and the cause each names. The order
// is the rule: specific before vague, and causes that are temporary or the sender’s before those that condemn an
// address.
import { gistOf } from './gist.ts';
import { DIAGNOSTIC_CHARS } from './limits.ts';
import type { DiagnosticClass } from './report.ts';

type Phrase = readonly [DiagnosticClass, RegExp];

/** A cause for each form; the first that is found counts. `@` represents an address, which are taken out before. */
const PHRASES: readonly Phrase[] = [
  [
    'system',
    /(?:could ?n[o']t|can(?:no|')t|unable to|failed to) (?:create|open|write|lock|append|chdir|exec)|queue file write|disk i\/o/i,
  ],
  [
    'authentication',
    /\b(?:spf|dkim|dmarc)\b.{0,80}(?:fail|reject|not (?:pass|allow)|does not|violat|policy|settings|check|record|signature|key|error|invalid|perm|temp)|(?:fail|not pass|violat|invalid|bad|missing|no valid).{0,60}\b(?:spf|dkim|dmarc)\b|unauthenticated e-?mail|sender is unauthenticated|\b(?:your|sender(?:'s)?|sending|client|helo|ehlo|ptr|host ?name)\b.{0,60}(?:does not resolve|not (?:found|exist) in dns)|(?:can(?:no|')t|unable to) resolve your|no reverse|does(?:n't| not) have authentication information|(?:reverse dns|\bptr\b|\brdns\b|ip name lookup|reverse host ?name|reverse lookup|cannot find your (?:reverse )?host ?name|fix reverse)/i,
  ],
  [
    'malware',
    /\bvirus(?:es)?\b|\bmalware\b|\btrojan\b|infected (?:with|message|file|attachment)|banned (?:file|name|attachment)|dangerous attachment|MCSpamSignature/i,
  ],
  // How often one connects, said before the sender is named: it passes on its own. The last is Spectrum's family of codes for it.
  ['busy', /\b(?:ip|connection|domain) (?:frequency|rate) limit|\bAUP#(?:I|In|Out)-13\d0\b/i],
  [
    'sender_refused',
    /unroutable sender|(?:e-?mail )?address is not verified|identities failed|sender(?:'s)?(?: e-?mail)?(?: address| domain)?.{0,60}(?:reject|refus|denied|not (?:exist|found|allowed|accept|verif|valid)|does not|doesn't|invalid|unknown|verif)|(?:reject|refus|invalid|unknown|bad|verify)\w* sender|domain of sender|envelope sender|from address.{0,30}(?:reject|not|invalid)|not allowed to send|you are not (?:allowed|authorized|permitted)|(?:not|isn't) (?:allowed|authori[sz]ed|permitted) to (?:send|post|deliver)|sender (?:rejected|denied)|delivery not authori[sz]ed|restricted(?: to)? (?:sender|mailbox)|only accepts? (?:mail|messages) from|groups\.google\.com\/support/i,
  ],
  // The sender in other languages, with what is wrong with him: many notices only greet him, or go back to him.
  [
    'sender_refused',
    new RegExp(
      [
        String.raw`(?:absender|exp[ée]diteur|remitente|remetente|mittente|afzender|avsändare|afsender|avsender|nadawc|lähettäj|отправител|发件人|寄件者|送信者|差出人|발신자|보낸 사람)[^.:;,\n]{0,25}(?:unbekannt|nicht|ungültig|abgelehnt|gesperrt|inconnu|refus|invalid|inexist|n'exist|bloqu|desconoc|rechaz|no existe|desconhec|rejeit|não|sconosciut|rifiut|inesist|non |bloccat|onbekend|geweigerd|bestaat|неизвест|заблок|отклон|не |存在|拒|차단)`,
        String.raw`(?:unbekannter|ungültiger|onbekende|ongeldige|okänd|ogiltig|ukendt|ukjent|nieznany|tuntematon) (?:absender|afzender|avsändare|afsender|avsender|nadawca|lähettäjä)`,
      ].join('|'),
      'i',
    ),
  ],
  // What the sender's own names are called, and whom a recipient, a list or a group lets in.
  [
    'sender_refused',
    new RegExp(
      [
        String.raw`\b(?:your|sending)(?: \w+)? address\b[^:.]{0,60}(?:\bnot\b|n't|unknown|invalid|reject|refus|denied|block|fail)|\b(?:your|the sending|sending|client|connecting)(?: \w+)? (?:domain|host ?name|server|mta|gateway)\b.{0,60}(?:\bnot\b|n't|unknown|invalid|reject|refus|denied|block|fail)`,
        String.raw`(?:mail from|return[- ]?path|return address|reply address|from address)\b[^:\d]{0,40}(?:\bnot\b|n't|unknown|invalid|reject|refus)|(?:for|of) (?:the )?sender|(?:invalid|bad|unknown|no such)[^:\d]{0,30}(?:mail from|return[- ]?path|return address)`,
        String.raw`sender(?:'s)?(?: \w+){0,2} (?:is |was |has |are )?(?:been )?(?:not recogni[sz]ed|no (?:a|mx|dns|such)\b|on |banned|blocked|blacklisted|restricted)|(?:blocked|denied|banned|untrusted) senders?|(?:block|deny|black)(?:ed)? ?list of sender`,
        String.raw`does(?: not|n't) (?:want|accept|receive) (any )?(?:e-?mail|mail|messages?) from|(?:only|not) (?:internal|known|authenticated|approved|trusted) senders|has blocked you|not have permission to|(?:insufficient|no) permissions? to|(?:receives?|accepts?) no (?:external|outside|internet)|internal use only|refuses your|known correspondent|(?:white|allow)-?list`,
        String.raw`not (?:a |on the )?(?:list )?members?\b|members only|list is closed|call-?outs?\b|call-?back|\bspoof|(?:invalid|bad|bogus|forged|illegal).{0,20}\b(?:helo|ehlo)|\b(?:helo|ehlo)\b.{0,30}(?:invalid|not |reject|refus|must|bad|denied|mismatch)`,
      ].join('|'),
      'i',
    ),
  ],
  ['no_such_host', /account or domain may not exist/i],
  [
    'spam',
    /\bspam(?:my|ming|trap)?\b(?!haus|cop|-?(?:user|hater))|\bjunk mail|\bucev?\b|unsolicited|bulk mail|bayes|mail rejete|content filter|scored as|(?:message|mail) filtered|filtered by/i,
  ],
  [
    'blocked',
    /(?:spamhaus|spamcop|sorbs|barracuda(?:central)?|uceprotect|\brbl\b|dnsbl|surbl|black ?list|block ?list|blocked using|banned sending|\bblocked\b.{0,60}\bip\b|\bip\b.{0,60}\bblocked|client host (?:rejected|blocked)|access denied.{0,3} banned|\byour ip\b|harvest(?:ing)? attack|bounce attack|(?<!not |n't )listed (?:in|at|by|on) \S{0,60}(?:\.|bl\b|list)|poor reputation|low reputation|ip reputation|bad reputation|\breputation\b|user complaints|refused to talk to me|helo (?:command )?rejected|my name was rejected|may not be mail exchanger|host network not allowed|network not allowed|connection (?:refused|rejected) by policy|service refus|your (?:ip|host|server|network)\b.{0,60}(?:reject|block|denied|refused|not allowed)|(?:reject|block|denied|refus)\w{0,10}.{0,40}\byour (?:ip|host|server|network))/i,
  ],
  [
    'rate',
    /rate limit|frequency limit|too (?:many|much) (?:messages|mails?|e-?mails)|sent to too many|relay quota|exceeded.{0,40}(?:hourly|daily|sending)|(?:hourly|daily|sending) (?:limit|quota)|unexpected volume|too (?:fast|frequent)|receiving (?:e?mail|messages) (?:at a rate|too quickly)|sending rate|throttl/i,
  ],
  [
    'relay',
    /relay(?:ing)?(?: access)? (?:denied|not (?:permitted|allowed)|prohibited)|unable to relay|not permitted to relay|does not (?:permit|allow) relay|(?:mail|insecure) (?:mail )?relay|we do not relay|relaying (?:is )?denied|not a (?:local|relay)|authentication (?:is )?required|must (?:be )?authenticat|not authenticated|authenticate first|not a gateway|registered gateway|check (?:for new )?(?:your )?mail (?:first|before)|remote addresses not|unauthenticated senders/i,
  ],
  [
    'mailbox_full',
    /(?:mailbox|inbox|mail ?box|account|user|disk|storage|maildir|mail folder|postfach|boite|boîte|buz[oó]n|casella|caixa).{0,60}(?:\bfull\b|over ?(?:quota|the limit)|exceed|insufficient|voll\b|pleine|llen[ao]|piena|cheia|out of (?:space|storage)|no (?:space|room))|(?:over|exceed(?:s|ed|ing)?)(?: \w+){0,3} ?(?:disk |storage |mailbox )?(?:quota|mailbox size)|quota (?:is )?(?:exceed|full|over|violat)|disk quota|no space left|out of (?:disk |storage )?space|disk (?:is )?full|over its limit|переполнен|已满|已滿|いっぱい|가득|insufficient (?:system )?(?:storage|disk|space)|not enough (?:storage|space|disk)|too (?:many|much) (?:messages|mail) in (?:the )?(?:mailbox|inbox)|\boverquota\b|\bmailbox_full\b|quotaexceeded|number of messages in recipient/i,
  ],
  [
    'too_big',
    /(?:message|mail|body|e-?mail|attachment)s?(?: \w+){0,2} (?:(?:size|length|line).{0,30}(?:exceed|too (?:big|large|long))|(?:is |was )?too (?:big|large)|exceed)|size limit|too (?:big|large) (?:for|message)|(?:line|length) limit|exceeds? (?:the )?(?:maximum|max|administrative|fixed|allowed).{0,30}(?:size|limit|length)|recipsizelimit/i,
  ],
  [
    'accepts_no_mail',
    /no smtp service|null mx|does not accept (any )?e?-?mail(?! (?:\w+ )?from)|no (?:mx|mail exchanger)s? (?:record )?(?:found|for)|couldn't find a mail exchanger|no mail servers? (?:for|found)/i,
  ],
  [
    'mailbox_inactive',
    /(?:account|mailbox|user|recipient|e-?mail (?:account|address)|(?<!\bip )address)(?: @| \S{1,40})?(?:(?: has| have)?(?: been)?| is| was)?(?: currently| temporarily| temporary)? ?(?:disabled|suspended|inactive|deactivated|locked|blocked|bloque|frozen|on hold|not active|expired|closed temporarily|out of service)|(?:disabled|suspended|inactive|deactivated|locked|dormant) (?:account|mailbox|user|recipient)|not accepting (any )?(?:mail|messages)|out of mail service|mailbox (?:temporarily )?disabled|account.{0,40}(?:inactive|disabled|suspended)|not (?:currently )?accept(?:ing)? mail|temporarily closed/i,
  ],
  [
    'mailbox_inactive',
    /\b(?:konto|postfach|compte|bo[iî]te|cuenta|buz[oó]n|conta|caixa|account|casella|utente|utilisateur|usuario) (?:ist |est |est[aá] |é |è )?(?:gesperrt|deaktiviert|désactivée?|suspendue?|bloquée?|suspendid[oa]|desactivad[oa]|bloquead[oa]|suspens[oa]|desativad[oa]|sospes[oa]|disattivat[oa]|bloccat[oa])|заблокирован|отключ[её]н|已停用|已禁用|停止中|정지/i,
  ],
  [
    'busy',
    /too many (?:connections|recipients|sessions|hosts|concurrent|invalid|unknown|bad|non-?existent|errors)|(?:connection|session|recipients?)(?:s)?(?: rate)? (?:limit|exceed)|server (?:too )?busy|resources temporarily unavailable|try again later: too/i,
  ],
  [
    'content',
    /content (?:reject|blocked|denied|not|contains)|message content|(?:bad|invalid|malformed|missing|multiple|improper|illegal|suspicious).{0,30}(?:header|subject|8-?bit|mime|attachment|from:|character)|header error|(?:invalid|missing|no|bad|duplicate) (?:valid )?(?:message-?id|subject|from\b)|(?:message-?id|from|to|date|subject)(?: header)? (?:is )?(?:missing|in the future)|bare line ?feed|\bmacro\b|file type|could not be scanned|encrypted (?:message|e?-?mail)s? (?:is |are )?not|media error|not (?:rfc|compliant)|not rfc|addresses in from|prohibited (?:content|attachment|url)|attachment (?:not|type|is|rejected)|mail content|message (?:was )?rejected (?:due to|because of) content|8bitmime|contains? (?:a )?(?:bad|prohibited|blocked|unacceptable)|bare lf|line length/i,
  ],
  [
    'policy',
    /policy (?:violation|reasons?|reject|restriction)|(?:security|local|site|administrative|access) polic|violat\w{0,5} .{0,30}polic|protocol violation|rejected by (?:policy|administrator|rule|filter)|policy[- ]?(?:based|violat)|administrative prohibition|administratively (?:denied|prohibited)|permission denied|not (?:allowed|permitted) by|potential(?:ly)? (?:security|dangerous|harmful)|security (?:reason|issue|risk|polic)|rejected for (?:policy|security)|blocked because|invalid domain name|encryption (?:needed|required)|(?:start)?tls (?:is )?(?:required|must|needed)/i,
  ],
  // What passes, before what condemns an address in the same words.
  [
    'system',
    /\btemporar(?:y|ily)\b.{0,40}(?:unavailable|not available|fail|error|problem|reject|defer|refus|lookup)|(?:unavailable|not available) (?:temporarily|at this time|right now)|(?:ldap|directory|database|temporary) (?:lookup |server )?(?:fail|timeout|error)/i,
  ],
  [
    'no_such_host',
    /name service error for.{0,200}host (?:or domain name )?not found|(?:host|domain)(?: name)? not found|host unknown|unknown (?:host|domain)|(?:no such|invalid|illegal|bad|not a valid) (?:domain|host)(?!.{0,40}helo)(?! name (?:rejected|in))|domain (?:does(?:n't| not) exist|not exist|is not reachable|has no)(?!.{0,20}sender)|unrouteable address|unroutable (?:address|domain)|couldn't find any host|can't find (?:a )?(?:host|domain)|dns lookup fail(?:ure|ed): host|illegal host\/domain|name or service not known|nxdomain/i,
  ],
  [
    'moved',
    /(?:has|have) (?:moved|changed (?:his|her|their) address)|(?:address|mailbox|account|user|recipient).{0,20} no longer accepts?(?! (?:\w+ )?from)|no longer (?:on (?:this )?server|here|available|valid|at this|in use|employed|works|exist|with)|(?:has|have|his|her|their|my) new address|address (?:has )?changed|user (?:has )?moved|\bmoved to @|left the (?:company|organi[sz]ation)|not our user|recipient no longer/i,
  ],
  [
    'no_such_address',
    new RegExp(
      [
        String.raw`(?:user|recipient|mailbox|account|address|addressee|e-?mail|person|alias|login|name|inbox)s?(?:'s)?(?: address| name| mailbox| account)?(?: @| \(@\)| <@>| \S{1,64})? ?(?:is |was |are |has )?(?:unknown|not (?:found|exist|known|listed|here|recogni[sz]ed|valid|a valid|local|present|in)|n['o]t exist|unavailable|does ?(?:n't|not) (?:exist|have)|doesn't have|do not exist|wasn.?t found|could ?(?:n.?t|not) be found|undefined|nonexistent|non-existent)`,
        String.raw`(?:unknown|no such|invalid|bad|nonexistent|non-existent|unrecogni[sz]ed|(?:unable to|can(?:no|')t) (?:find|locate)|incorrect|wrong|no (?:valid )?|not a (?:valid|known|local)) ?(?:local |destination |virtual |e-?mail |recipient |final )?(?:mailbox|user|recipient|account|address|addressee|person|alias|local part|localpart|users? here|username)s?\b`,
        String.raw`recipient address syntax|recipnotfound|recipient (?:refused|not ok)`,
        String.raw`(?:not|n't) (?:listed|found) in (?:the |our )?(?:\S{1,30} )?(?:directory|address book)`,
        String.raw`account that you tried to reach does not exist|(?:account|mailbox) (?:has been )?(?:deleted|removed|terminated|closed|cancell?ed)`,
        String.raw`is not (?:a )?(?:known|valid|registered|recogni[sz]ed)|isn't (?:a )?(?:valid|registered)|no (?:mailbox|one|account) (?:here )?by that name|we do not have|no mailbox|not (?:a|our) customer|(?:mailbox|user|account).{0,30} is gone\b|(?:recipient|mailbox|user) is invalid|address you sent to does not exist|mailbox name (?:not allowed|invalid)`,
      ].join('|'),
      'i',
    ),
  ],
  // The same in other languages.
  [
    'no_such_address',
    new RegExp(
      [
        String.raw`(?:empf(?:ä|ae)nger|benutzer|nutzer|postfach|adresse|konto)\S{0,20} (?:ist )?(?:unbekannt|existiert nicht|nicht (?:gefunden|vorhanden))|unbekannter (?:empf|benutzer)|(?:gebruiker|ontvanger) (?:onbekend|bestaat niet|niet gevonden)|onbekende (?:gebruiker|ontvanger)`,
        String.raw`(?:utilisateur|destinataire|adresse|bo[iî]te|compte)s? (?:inconnue?|invalide|inexistante?|n'existe pas)|(?:au moins un )?destinat\w+ invalide`,
        String.raw`(?:usuario|destinatario|cuenta|buz[oó]n|casilla|direcci[oó]n) (?:desconocid[oa]|inexistente|no existe|no encontrad[oa])|(?:usu[aá]rio|destinat[aá]rio|conta|caixa|endereço) (?:desconhecid[oa]|inexistente|não)|(?:utente|destinatario|casella|indirizzo) (?:sconosciut[oa]|inesistente|non)`,
        String.raw`ok(?:änd|ent|jent) (?:användare|mottagare)|uk(?:endt|jent) (?:bruger|bruker|modtager|mottaker)|(?:användaren|mottagaren|adressaten) finns inte|tuntematon (?:vastaanottaja|käyttäjä)`,
        String.raw`nieznany (?:użytkownik|odbiorca|adresat)|brak takie(?:go użytkownika|j skrzynki)|nie istnieje|neznámý (?:uživatel|příjemce)|neexistuje|ismeretlen (?:felhasználó|címzett)|(?:kullanıcı|alıcı) bulunamadı`,
        String.raw`(?:пользовател|получател|адресат)\S{0,4} (?:не найден|неизвестен|не существует)|нет такого (?:пользователя|адреса)|не существует`,
        String.raw`见つかりません|見つかりません|存在しません|ユーザーはいません|不存在|존재하지 않는 (?:사용자|계정|수신자)|(?:사용자|계정|수신자)[를을]? ?찾을 수 없`,
      ].join('|'),
      'i',
    ),
  ],
  [
    'expired',
    /(?:message|queue|delivery|retry|retries)(?: \w+){0,3} (?:expired|time ?out|timed ?out)|retry time(?:out)? (?:not reached|exceeded)|queue\.expired|too long|not delivered within|could not be delivered (?:for|within|in)|unable to deliver in|attempts?: @|gave up|giving up after|\b(?:has been|was|is being|been) delayed|will (?:be retried|retry|continue|keep trying)|still (?:trying|being retried)|delay(?:ed)? (?:warning|notification)|failed \d+ attempts|delivery time expired/i,
  ],
  [
    'network',
    /connect(?:ion|ing)?(?: to .{0,120})?(?: was)? ?(?:timed? ?out|refused|reset|lost|closed|dropped|broken|failed|error)|timed? ?out|unable to (?:connect|contact|establish|reach)|wasn't able to establish|no route to host|network (?:is )?unreachable|host (?:is )?(?:unreachable|down|not respond)|not responding|socket error|too many hops|mail loop|loops? back|routing loop|hop count|lost connection|conversation with .{0,120} timed|name server (?:reply|timeout|fail)|name service error|dns (?:error|fail|timeout)|could ?n.t connect|did not accept our requests to connect|no answer|certificate/i,
  ],
  [
    'system',
    /(?:system|server|local|internal|software|service|configuration|ldap|database|i\/o|pipe|program|command) (?:error|fail|problem|temporar|currently|not available|unavailable|closing)|mailer error|temporary (?:failure|error|problem|local|lookup)|temporarily (?:unavailable|rejected|deferred|refused)|transaction failed|try (?:again )?(?:later|again)|please retry|grey-?list|exit(?:ed)? (?:with )?(?:status|code)|couldn't create|queue file write|local delivery failed|processing error|unable to (?:contact ldap|open|lock|write)|insufficient resources|out of memory|deferred/i,
  ],
  [
    'system',
    /(?:unknown|unrecogni[sz]ed|invalid|bad|unsupported) (?:command|option|parameter)|command (?:not|un)\w*|bad sequence|syntax error(?:,| in (?:param|command|arg))|must precede|not implemented|protocol error|loop detected/i,
  ],
];

/** Said with a cause or without: they count where no code says more. */
const WEAK: readonly Phrase[] = [
  ['no_such_address', /(?:recipient )?address rejected|rejected recipient|recipient rejected/i],
  ['mailbox_full', /\bquota\b/i],
];

/** A no, with nothing of why. */
const BARE =
  /\b(?:rejected|refused|blocked|denied|declined|restricted|prohibited|forbidden)\b|not (?:allowed|permitted|authori[sz]ed)|\bdelivery restrict/i;

/** Whoever names the message has not said a word of its address. */
const OF_THE_MESSAGE = /\b(?:message|e-?mail|mail|content)\b/i;

const ADDRESSES = /<?[^\s@<>()[\]",;]{1,64}@[^\s@<>()[\]",;:]{1,255}>?/g;

/** Characters of a text in which a cause is looked for. */
const WORDS_CHARS = 4 * DIAGNOSTIC_CHARS;

/** Nothing that is said has longer words, and the forms take time by the square of one. */
export const shortWords = (text: string): string => text.replace(/(\w{80})\w+/g, '$1');

/** What was said in words, as the forms read it: addresses as `@`, fragments of links and repeated codes left out. */
const wordsIn = (text: string): string =>
  shortWords(text.slice(0, WORDS_CHARS))
    .replace(ADDRESSES, '@')
    .replace(/(https?:\/\/[^\s#<>]{1,300})#[^\s<>]{1,300}/g, '$1')
    .replace(/(?:^|\s)[245]\d\d-(?:[245]\.\d{1,3}\.\d{1,3})?/g, ' ')
    .replace(/\s+/g, ' ');

/**
 * The cause that the words of a receiver name, or null. `asked`: the code, or the step, says that it was the address that was
 * asked about, so a bare no is about the address. `coded`: what the code says on its own, which outweighs a word or two.
 */
export function classOfWords(
  text: string,
  asked: boolean,
  coded: DiagnosticClass | null = null,
): DiagnosticClass | null {
  const words = wordsIn(text);
  for (const [cause, form] of PHRASES) if (form.test(words)) return cause;
  const gist = gistOf(words);
  if (gist !== null) return gist;
  for (const [cause, form] of WEAK) if (form.test(words)) return coded ?? cause;
  return BARE.test(words) && (!asked || OF_THE_MESSAGE.test(words)) ? 'policy' : null;
}
