// Phrases that say someone no longer works there, by language, as forms (`forms.ts`) over the spelling of
// `bareWords`: lower case, no accents, no punctuation. And those that introduce whom to ask instead. `theirs` stands
// for the name in the writer’s own domain.

const ENGLISH = [
  'no longer ?be employed|with|part|responsible',
  'no longer ?be work|works|working here|there|at|for|in|under',
  'no longer ?be work|works|working with ?the us|theirs|company|organisation|organization|firm',
  'no longer represent|represents theirs',
  'no longer ?be a|an member|employee',
  'no longer ?be in this|that|my role|position',
  'do|does not work here|there|for|at|with ~5 anymore|longer',
  'dont|doesnt work here|there|for|at|with ~5 anymore|longer',
  'do|does not work ?here ?there any more|longer',
  'have|has|had|ive ?now|recently|since|already left ?the|our|this|my company|organisation|organization|firm|business|agency|group|corporation|employment|university|institute|us|employer',
  'left|leaving|quit theirs',
  'not with theirs ~5 anymore|longer',
  'resigned from',
  'changed|switched jobs|employers',
  'have|has|ive|started|got ?started a new job',
  'was|been let go',
  'was|been laid off',
  'have|has|ive|am ?now|recently|since|already moved to another|a ?new|different company|employer|firm|organisation|organization',
  'today is my last ?working day at|with|here',
  'have|has|ive|am ?now|recently|since retired',
  'moved on from',
  'moved on to ?a new|other|another|pastures',
  'has passed away',
  'my last ?working day at|with ~4 was',
];
const GERMAN = [
  'nicht mehr|langer ~6 tatig|beschaftigt|angestellt',
  'nicht mehr|langer hier|mitarbeiter|mitarbeiterin',
  'nicht mehr|langer bei uns',
  'nicht mehr|langer im unternehmen|hause|betrieb',
  'nicht mehr|langer in der|unserer|dieser firma',
  'nicht mehr|langer teil des|von|unseres',
  'nicht mehr|langer fur das|die unternehmen|firma',
  'arbeite|arbeitet ~5 nicht mehr|langer hier|bei|fur',
  'habe|hat|haben ~6 das|die|den|unser|unsere unternehmen|firma|haus|agentur|betrieb ~5 verlassen',
  'hat|haben uns ~3 verlassen',
  'aus dem|der|unserem|unserer unternehmen|firma|betrieb|dienst|haus ~4 ausgeschieden|ausgetreten',
  'habe|hat|haben ?inzwischen ?mittlerweile theirs ~4 verlassen',
  'im|in ?den ruhestand',
  'bin|ist ?jetzt ?inzwischen ?mittlerweile in rente|pension',
  'verstorben',
];
const FRENCH = [
  'ne travaille plus chez|pour|ici|au|a|dans',
  'ne fais|fait plus partie',
  'jai|a|ai ?desormais|recemment quitte la|notre|le|mes|ses|mon|son societe|groupe|fonctions|poste|entreprise',
  'jai|a|ai ?desormais|recemment quitte lentreprise|lorganisation|lagence',
  'jai|a|ai ?desormais|recemment quitte theirs',
  'suis|nest plus employe|employee|salarie|salariee',
  'suis|nest plus en poste|fonction',
  'suis|nest plus parmi nous',
  'suis|nest plus dans|au lentreprise|sein',
  'a la retraite',
];
const SPANISH = [
  'ya no trabajo|trabaja aqui|en|para|alli',
  'ya no pertenezco|pertenece',
  'he|ha dejado theirs',
  'ya no formo|forma parte',
  'no estoy|esta ?mas en la|esta|nuestra empresa|compania|organizacion',
  'he|ha dejado la|esta|nuestra empresa|compania|organizacion',
  'he|ha dejado de trabajar|formar',
  'me|se he|ha jubilado',
];
const ITALIAN = [
  'non lavoro|lavora piu per|in|presso|qui|da|alla|nella',
  'non faccio|fa piu parte',
  'ho|ha lasciato theirs',
  'ho|ha lasciato la ?nostra societa|ditta|azienda',
  'ho|ha lasciato lazienda|lorganizzazione|limpresa',
  'non e|sono piu in azienda',
  'non e|sono piu presso|dipendente|impiegato|impiegata',
  'in pensione',
];
const DUTCH = [
  'werk|werkt ~4 niet meer|langer bij|voor|hier|in',
  'niet meer|langer werkzaam|bij',
  'niet meer|langer in dienst',
  'heb|heeft het|de|ons|onze bedrijf|organisatie|firma ~4 verlaten',
  'heb|heeft ons ~2 verlaten',
  'heb|heeft theirs ~3 verlaten',
  'uit dienst',
  'met pensioen',
];
/** Someone left. */
export const LEFT: readonly string[] = [...ENGLISH, ...GERMAN, ...FRENCH, ...SPANISH, ...ITALIAN, ...DUTCH];

/** Something was left there, and no one left. */
export const LEFT_BEHIND: readonly string[] = [
  'left ?the|our|this|my|your company|organisation|organization|firm|business|agency|group|corporation|university|institute|us|employer|theirs a|an|some|another|two|several ?short|quick|little|long|nice note|notes|message|messages|voicemail|review|reviews|letter|comment|comments|tip|card|feedback|copy',
  'left ?the|our|this|my|your business|company|group|agency card|cards|chat|call|page|car|premises|phone|laptop|meeting',
];

/** Of whom a machine may say that they left, without that it is whose machine it is. */
export const OTHERS: readonly string[] = [
  'colleague|colleagues|coworker|predecessor|assistant|kollege|kollegin|kollegen|vorganger|vorgangerin|assistentin|collegue|predecesseur|companero|companera|colega|predecesor|predecesora|collega|predecessore|voorganger',
];

/** The mailbox is given up, as a machine alone can say of it. */
export const GIVEN_UP: readonly string[] = [
  'address|account|mailbox|inbox is|was no longer active|used|valid|monitored|maintained',
  'address|account|mailbox|inbox is|was no longer in use',
  'address|account|mailbox|inbox is|was ?now deactivated|disabled|closed|discontinued',
  'address|account|mailbox|inbox has been deactivated|disabled|closed|discontinued',
  'adresse|postfach|mailkonto|konto ~4 nicht mehr|langer aktiv|gultig|verwendet|genutzt|gelesen|abgerufen|betreut',
  'adresse|postfach|mailkonto|konto ~4 deaktiviert|stillgelegt',
  'adresse|boite|messagerie ~4 nest plus active|utilisee|valide|consultee',
  'adresse|boite|messagerie ~4 ete desactivee|fermee',
  'direccion|cuenta|buzon|correo ~4 ya no ?esta ?se ?es activ*|utiliza|valid*|en',
  'direccion|cuenta|buzon|correo ~4 sido desactivad*',
  'indirizzo|casella|account ~4 non e piu attiv*|valid*|in|utilizzat*',
  'indirizzo|casella|account ~4 e stato|stata disattivat*',
  'emailadres|mailadres|adres|mailbox|account ~3 niet meer|langer actief|in|geldig|gelezen',
];

/** How a sentence begins that someone says of themselves. */
export const OF_ONESELF: readonly string[] = [
  'i|ich|je|jai|ik|im|ive|yo|he|ho|wir',
  'ya no',
  'non lavoro|faccio|sono',
  'no estoy',
];
export const BEFORE_IT: ReadonlySet<string> = new Set(
  'please note that unfortunately sorry actually just fyi ps leider helaas purtroppo malheureusement lamentablemente desafortunadamente'.split(
    ' ',
  ),
);

/** Words by whose beginning a sentence leads to someone else. */
export const LEADS_TO: readonly string[] =
  'contact contatt reach write email touch direct colleague successor replace forward address wende kontakt erreich nachfolg kolleg ansprechpartner schreib collegue remplac joindre adresse ecri dirij dirig escrib companer comunic rivolg scriv collega sostitu richt neem opvolg'.split(
    ' ',
  );

/** Words with a capital that are no one's name, folded. */
export const NO_NAMES: ReadonlySet<string> = new Set(
  'please email e-mail e mail emails mr mrs ms miss dr prof frau herr herrn sie ihr ihre ihnen bitte an unter monsieur madame mme m senor senora sr sra signor signora sig mevrouw de heer i he she they his her their the my our manager director head sales team support office telephone phone tel thank thanks kind best regards or and und et y e ou o of you your for from with to at on in merci gracias grazie bedankt ich er es der die das mein meine meinen meiner unser unsere je il elle mon ma el la mi lo mia mio ik hij zij mijn onze'.split(
    ' ',
  ),
);
