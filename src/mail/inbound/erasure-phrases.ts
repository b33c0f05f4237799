// Phrases with which people ask to have their personal data erased, by language, in the spelling of `bareWords`:
// lower case, no accents, no punctuation. A clause states the wish, its object and whose it is, and nothing else.

export type Words = {
  /** What is to be done, as it is asked for. */
  does: string;
  /** The same as something that happens, which a word of asking has to go with. */
  done: string;
  asks: string;
  what: string;
  whose: string;
  /** Whatever else may be there. */
  beside: string;
  /** Wishes that are whole without any of it. */
  whole: readonly string[];
};

export const WISHES: readonly Words[] = [
  {
    does: 'delete erase remove wipe purge destroy scrub forget take erasure deletion removal',
    done: 'deleted erased removed wiped destroyed',
    asks: 'want wish like request requesting ask asking demand demanding require need must should insist expect instruct',
    what: 'data information info details record records everything profile',
    whose: 'my our me us mine',
    beside:
      'i we you am are d id would to have has hold holds held had be that which the a all any every of own personal private stored contact your company organisation organization store stores keep kept process collected may might on about relating related concerning regarding in from off at for it system systems database databases server servers files crm list lists now entirely completely permanently today without undue delay as soon possible within day days month possess also and',
    whole: [
      'right to be forgotten',
      'right to erasure',
      'right of erasure',
      'right to deletion',
      'erasure request',
      'deletion request',
      'forget me',
    ],
  },
  {
    does: 'loschen losche losch entfernen entferne vernichten loschung datenloschung entfernung',
    done: 'geloscht entfernt vernichtet',
    asks: 'mochte will verlange wunsche fordere bitte bitten erwarte ersuche beantrage beantragen verlangen fordern verlangt mussen sollen werden',
    what: 'daten angaben informationen kontaktdaten datensatz datensatze',
    whose: 'meine meiner meinen unsere unserer mir mich uns meinem',
    beside:
      'ich wir sie ihr es hiermit um die der das den dem eine auf dass zu alle aller allen samtliche samtlicher samtlichen personenbezogene personenbezogenen personliche personlichen gespeicherte gespeicherten bei von uber person ihnen euch vorliegenden vorhandenen speichern gespeichert haben hat aus ihrem ihrer ihren eurem eurer datenbank datenbanken system systemen verteiler vollstandig vollstandige dauerhaft unwiderruflich innerhalb von tagen unverzugliche und',
    whole: [
      'recht auf loschung',
      'recht auf vergessenwerden',
      'loschantrag',
      'loschbegehren',
      'antrag auf loschung',
    ],
  },
  {
    does: 'supprimez effacez supprimer effacer deffacer supprimiez effaciez detruire detruisez effacement leffacement suppression',
    done: 'supprimees effacees',
    asks: 'demande demandons souhaite veux voudrais exige prie sollicite soient',
    what: 'donnees informations coordonnees',
    whose: 'mes nos moi me nous',
    beside:
      'je vous de la le les l que toutes tous toute lensemble des vos votre personnelles personnelle caractere a detenez avez possedez conservez sur concernant base bases fichier fichiers systeme systemes dans delai delais meilleurs un jours definitivement totalement completement soient et',
    whole: [
      'droit a leffacement',
      'droit a loubli',
      'droit a la suppression',
      'demande deffacement',
      'demande de suppression',
    ],
  },
  {
    does: 'elimine eliminen elimina borre borren borra suprima supriman suprime eliminar borrar suprimir eliminad borrad eliminacion supresion borrado cancelacion',
    done: 'eliminados borrados suprimidos',
    asks: 'quiero deseo solicito pido exijo quisiera ruego sean',
    what: 'datos informacion',
    whose: 'mis mi nuestros nosotros',
    beside:
      'le les os que la el los las un de del todos todas toda personales personal contacto ustedes tenga tengan tienen tiene conserve conserven almacenan sobre su sus base bases sistema sistemas registros ficheros archivos completamente definitivamente en plazo dias sean y',
    whole: [
      'derecho al olvido',
      'derecho de supresion',
      'derecho a la supresion',
      'solicitud de supresion',
      'solicitud de borrado',
    ],
  },
  {
    does: 'cancellate eliminate rimuovete cancelli elimini rimuova cancellare eliminare rimuovere cancella elimina cancellazione eliminazione rimozione cancelliate',
    done: 'cancellati eliminati rimossi',
    asks: 'chiedo richiedo voglio vorrei desidero esigo prego invito vengano siano',
    what: 'dati informazioni',
    whose: 'miei mie nostri me noi mi',
    beside:
      'vi le la il i lo di a che tutti tutte dei delle personali riguardano avete in vostro vostri vostra possesso su dal dai dalla dalle database sistemi sistema archivi banca completamente definitivamente entro giorni e',
    whole: ['diritto alloblio', 'diritto alla cancellazione', 'richiesta di cancellazione'],
  },
  {
    does: 'verwijder wis vernietig verwijdert verwijderen wissen vernietigen verwijdering wissing',
    done: 'verwijderd gewist vernietigd',
    asks: 'wil wens verzoek vraag eis verzoeken vragen worden',
    what: 'gegevens persoonsgegevens data informatie',
    whose: 'mijn onze mij me ons',
    beside:
      'ik wij u jullie je om dat hierbij te al alle de het van persoonlijke die over heeft hebt hebben bewaart bewaren uit in uw bestand bestanden database systeem systemen volledig permanent binnen dagen en',
    whole: [
      'recht op vergetelheid',
      'recht op gegevenswissing',
      'recht om vergeten te worden',
      'verzoek tot verwijdering',
      'verzoek tot gegevenswissing',
    ],
  },
];

/** What is beside a wish that is whole: "I want to exercise my …", "formal … for my personal data". */
export const AROUND =
  'i we want to wish would like am are hereby exercise exercising invoke invoking assert my our the this is a an formal official data personal for of request under ich wir mache machen von meinem unserem mein gebrauch geltend nehme in anspruch ube aus das der daten meiner personenbezogenen je souhaite veux exercer exerce invoque fais valoir mon le de mes donnees personnelles quiero deseo ejercer ejerzo invoco ejerciendo mi mis datos personales esercito intendo voglio esercitare invoco il mio dei miei dati personali ik wil beroep me op maak gebruik van oefen uitoefenen het mijn gegevens persoonsgegevens';

export const LAWS: readonly string[] = 'gdpr dsgvo rgpd avg ccpa cpra bdsg dsg lopd lopdgdd'.split(' ');
/** Laws by longer names. */
export const LAW_NAMES: readonly string[] = [
  'general data protection regulation',
  'ds gvo',
  'datenschutz grundverordnung',
  'datenschutzgrundverordnung',
  'reglement general sur la protection des donnees',
  'reglamento general de proteccion de datos',
  'regolamento generale sulla protezione dei dati',
  'algemene verordening gegevensbescherming',
  'data protection act',
  'data protection law',
  'data protection laws',
  'privacy law',
  'privacy laws',
];
export const ARTICLES: readonly string[] =
  'article articles art artikel articulo articolo larticle lart dellarticolo dellart section clause'.split(
    ' ',
  );
/** What is between a wish and the law that it names. */
export const TOWARDS: readonly string[] =
  'under per pursuant to in accordance with according as based on by my rights right the of eu uk european law your obligations abs absatz para paragraph lid comma apartado lit no nr sections gemass nach laut auf grundlage basis im sinne der des die von entsprechend conformement a au aux l la le selon en vertu du de titre application d virtud del conforme al segun el acuerdo con ai sensi dell della dei base all secondo op grond van conform volgens krachtens overeenstemming met het'.split(
    ' ',
  );

/** What people write beside the wish, by its first words, whatever follows. */
export const COMPANIONS: readonly string[] = [
  'confirm|acknowledge|provide|including|within|otherwise|failing|bestatigen|bestatige|einschliesslich|innerhalb|sowie|confirmez|confirmer|informez|confirme|confirmen|confirmar|confirmenme|confirmeme|informen|incluido|incluidos|incluidas|confermate|confermare|conferma|confermi|informate|compresi|comprese|entro|bevestig|bevestigt|bevestigen|inclusief|binnen',
  'let|tell|inform|notify|send me',
  'in writing',
  'i expect|await|look|request|demand|ask',
  'as soon',
  'without undue',
  'from your',
  'mir die|dies|das',
  'teilen|informieren sie',
  'ich erwarte|bitte|fordere|verlange|ersuche',
  'um bestatigung',
  'de|me confirmer|me',
  'y compris',
  'je vous|demande',
  'en el plazo',
  'le|les|vi solicito|pido|chiedo',
  'te bevestigen',
  'laat me|mij',
  'ik verzoek|vraag',
  'neem geen|nooit|niet ?meer contact',
];

/** How a clause begins that tells what is done, by whoever writes or by us, and asks for nothing. */
export const ONESELF_DOES: readonly string[] = [
  'i|we|you ?always ?also delete|erase|remove|wipe|purge|destroy',
  'we ?always ?also store|keep|hold',
  'we need|have to delete|erase|remove|wipe|purge|destroy',
  'we must|should|will|can|may delete|erase|remove|wipe|purge|destroy',
  'wir loschen|mussen|sollen unsere',
];

export const GREETINGS: readonly string[] =
  'hi hello hey dear hallo guten sehr bonjour madame monsieur hola buenos estimado estimada estimados ciao buongiorno salve gentile beste geachte thanks thank regards best kind cheers mfg gruss merci cordialement gracias saludos grazie saluti groet'.split(
    ' ',
  );

/** How a question begins that asks whether. */
export const QUESTIONS: readonly string[] = [
  '?hi ?hello would|could|can|will|do|does|did you|we|your|anybody|anyone|someone',
  'konnen|konnten|wurden|werden sie|wir',
  'konnt|konntet|wurdet|werdet ihr',
  'pouvez|pourriez|voulez vous',
  'puede|pueden|podria|podrian',
  'puo|potete|potreste|potrebbe',
  'kunt|kun|zou|zoudt u|je|jullie',
];

/** What makes such a question a wish. */
export const BEGGED: readonly string[] = [
  'please',
  'pls',
  'kindly',
  'bitte',
  'sil vous plait',
  'svp',
  'merci de',
  'por favor',
  'per favore',
  'per cortesia',
  'alstublieft',
  'alsjeblieft',
  'aub',
];
