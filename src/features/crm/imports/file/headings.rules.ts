// What columns are called: in several languages, and by the CRMs and mail tools that lists come from. A heading is compared
// without case, accents and punctuation. A heading that no line here knows is asked of the custom fields, and then ignored.

/** What a column can be made into; `custom.<key>` beside these. */
export const TARGETS = [
  'email',
  'email_personal',
  'email_other',
  'name',
  'given',
  'family',
  'title',
  'company',
  'company_domain',
  'phone',
  'link',
  'timezone',
  'language',
  'country',
  'source',
  'basis',
  'basis_note',
  'tags',
  'unsubscribed',
] as const;
export type Target = (typeof TARGETS)[number];

export const headingKey = (heading: string): string =>
  heading
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

// English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Swedish, Danish; then the tools' own names.
const KNOWN: Partial<Record<Target, string>> = {
  email: `email|e mail|mail|email address|e mail address|emailaddress|mail address|primary email|work email|business email|
    company email|email work|contact email|person email|email 1|e mail 1|email1|email 1 value|e mail 1 value|email 2|email2|
    email 2 value|e mail 2 value|e mail 2 address|e mail 3 address|email 3 value|email 3|secondary email|additional email addresses|
    email adresse|e mail adresse|emailadresse|mailadresse|geschaftliche e mail|e mail geschaftlich|adresse email|adresse e mail|
    courriel|adresse electronique|correo|correo electronico|direccion de correo electronico|direccion de correo|
    indirizzo email|indirizzo e mail|posta elettronica|endereco de email|correio eletronico|e mailadres|e mail adres|
    adres email|adres e mail|epost|e post|e postadress|subscriber email`,
  email_personal: `personal email|private email|home email|email home|email personal|e mail privat|private e mail|email prive|
    correo personal|personal email address`,
  email_other: 'other email|alternate email|alternative email|weitere e mail',
  name: `name|full name|fullname|contact name|person name|person|display name|contact|lead name|recipient name|
    vollstandiger name|ganzer name|ansprechpartner|kontakt|nom complet|nombre completo|nome completo|nome e cognome|
    volledige naam|naam|imie i nazwisko|namn|navn|fulde navn`,
  given: `first name|firstname|first|given name|given|fname|forename|person first name|vorname|prenom|nombre|nome|nombre de pila|
    voornaam|imie|fornamn|fornavn`,
  family: `last name|lastname|last|surname|family name|family|lname|person last name|nachname|familienname|zuname|nom|
    nom de famille|apellido|apellidos|cognome|sobrenome|apelido|achternaam|nazwisko|efternamn|efternavn`,
  title: `title|job title|jobtitle|position|role|job|occupation|designation|current position|job position|organization title|
    organization 1 title|berufsbezeichnung|funktion|stelle|position im unternehmen|poste|fonction|intitule du poste|cargo|puesto|
    ruolo|qualifica|functie|functietitel|stanowisko|titel|stilling|befattning`,
  company: `company|company name|companyname|organization|organisation|organization name|account|account name|employer|business|
    company or account|associated company|primary associated company|organization 1 name|current company|person organization|
    firma|firmenname|unternehmen|organisation name|entreprise|societe|nom de l entreprise|empresa|compania|organizacion|azienda|
    societa|bedrijf|bedrijfsnaam|organisatie|firma nazwa|nazwa firmy|foretag|virksomhed`,
  company_domain: `company domain|company domain name|domain|website|web site|company website|company url|web page|webpage|
    homepage|website url|webseite|internetseite|webadresse|site web|site internet|sitio web|pagina web|sito web|strona internetowa|
    hemsida|hjemmeside`,
  phone: `phone|phone number|telephone|telephone number|tel|mobile|mobile phone|mobile phone number|cell|cell phone|work phone|
    business phone|direct phone|work direct phone|corporate phone|phone 1 value|phone 1|primary phone|phone work|phone mobile|
    home phone|telefon|telefonnummer|handy|mobil|mobilnummer|telephone portable|portable|numero de telephone|telefono|movil|celular|
    cellulare|telefone|telemovel|telefoon|telefoonnummer|mobiel|telefono movil`,
  link: `linkedin|linkedin url|linkedin profile|linkedin profile url|person linkedin url|linkedin bio|profile url|url|twitter|
    twitter url|x url|github|github url|xing|xing profil|profil linkedin|profile link`,
  timezone:
    'timezone|time zone|zeitzone|fuseau horaire|zona horaria|fuso orario|fuso horario|tijdzone|person timezone',
  language: `language|preferred language|locale|sprache|langue|idioma|lingua|taal|jezyk|sprak|sprog|langue preferee|
    preferred language code`,
  country: `country|country region|country code|mailing country|business country region|business country|address 1 country|
    country name|person country|land|pays|pais|paese|kraj`,
  source: `source|lead source|original source|contact source|list source|origin|quelle|herkunft|source du lead|origine|origen|
    fuente|fonte|bron|zrodlo`,
  basis:
    'basis|legal basis|legal basis for processing contact s data|lawful basis|rechtsgrundlage|base legale|base legal',
  basis_note: 'basis note|legal basis note|basis explanation',
  tags: `tags|tag|labels|label|keywords|categories|category|schlagworte|schlagworter|kategorien|etiquettes|etiquetas|etichette|
    labels person|group membership`,
};

const BY_HEADING = new Map<string, Target>();
for (const target of TARGETS)
  for (const heading of (KNOWN[target] ?? '').split('|')) BY_HEADING.set(headingKey(heading), target);

/** Some tools put the kind of record before every heading: `Person - Email - Work`. */
const OF_A_RECORD = /^(person|contact|lead|prospect|subscriber|customer) /;

export function targetCalled(heading: string): Target | null {
  const key = headingKey(heading);
  return BY_HEADING.get(key) ?? BY_HEADING.get(key.replace(OF_A_RECORD, '')) ?? null;
}

/** Columns that an import never follows, and why: each would be a way around a gate or a right (domain.md §4.3). */
const NEVER: [pattern: RegExp, why: string][] = [
  [
    /\b(un ?subscribed?|opt(ed)? ?(in|out)|optin|optout|subscri(bed|ption)( status)?|email status|email opt out|do not (email|contact|call)|marketing (contact )?status|email marketing|has opted out|consent status|abgemeldet|abonn|desabonn|newsletter|suppress(ed|ion)?|blacklist|blocklist|accepts marketing|gdpr consent)\b/,
    'imports never lift suppressions; map the column to "unsubscribed" to suppress the people it marks',
  ],
  [
    /\b(owner|contact owner|lead owner|account owner|besitzer|inhaber|proprietaire|propietario|proprietario|eigenaar|assigned( to)?|assignee|sales rep)\b/,
    'imports don’t set owners: set them on the people afterwards',
  ],
  [
    /\b(sequence|sequences|enrol(l)?(ed|ment)?|cadence|step)\b/,
    'imports don’t enrol people: enrol them from the campaign',
  ],
  [
    /\b(campaign|campaigns|kampagne|campagne|campana|campanha)\b/,
    'imports don’t enrol people: enrol them from the campaign',
  ],
  [/\b(policy|policies|permission|permissions|admin|group|groups|access)\b/, 'an import gives no rights'],
  [
    /\b(id|uuid|record id|contact id|object id|vid|external id|guid|leid|euid)\b/,
    'people are known by their addresses: the ids of another system are not followed',
  ],
  [
    /\b(stage|lifecycle stage|lead status|deal stage|spine)\b/,
    'a person’s stage follows from what happened, so imports don’t set it',
  ],
  [
    /\b(verified|verification|email (verification|confidence|validation)|email sent|email open|email bounced|bounced|deliverab)/,
    'whether an address can be reached is checked here, not taken from a list',
  ],
];

export const whyNever = (heading: string): string | null => {
  const key = headingKey(heading);
  return NEVER.find(([pattern]) => pattern.test(key))?.[1] ?? null;
};
