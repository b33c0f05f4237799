// How people say that they want no more letters, by language. Each form is a whole line or sentence in the spelling
// that `unsubscribe.ts` produces: lower case, no accents, no punctuation, without the courtesy words below.

const MAILS = '(?:e ?mails?|mails?|messages?|letters?|newsletters?|spam)';
const LATER =
  '(?: (?:again|any ?more|any longer|ever|now|today|permanently|in (?:the )?future|from now on))*';

/** "from your mailing list" and the like: a preposition, then only words that such a list is called by. */
const from = (prepositions: string, words: string): string =>
  `(?:(?:^| )(?:${prepositions})(?: (?:${words}))+)?`;

const EN_LIST = from(
  'from|off|off of|out of',
  'your|the|this|these|that|any|all|of|and|future|further|other|mailing|e ?mail|e ?mailing|distribution|contact|marketing|sales|lists?|database|system|mailings?|e ?mails?|correspondence|communications?|messages?|campaigns?|sequences?|outreach|records|newsletters?|here|you',
);
const EN_ME =
  '(?: (?:me|us|my (?:e ?mail(?: address)?|address|name|contact(?: details)?|details|data|information|account)|this (?:e ?mail(?: address)?|address)|our (?:company|address|e ?mails?)))';
const EN_WANT =
  '(?:(?:i|we) (?:want|wish|would like|need|would prefer|request|ask) (?:you )?(?:to )?|i d like to |id like to )?';

const ENGLISH = [
  `${EN_WANT}unsubscribe${EN_ME}?${EN_LIST}${LATER}`,
  `${EN_WANT}(?:be )?(?:removed|unsubscribed|taken off|deleted)${EN_LIST}${LATER}`,
  `${EN_WANT}(?:remove|delete|drop|strike|take|get)${EN_ME}(?: off)?${EN_LIST}${LATER}`,
  `(?:stop|quit|cease|no more|do not|dont|never|refrain from)(?: ever)? (?:e ?mailing|mailing|writing|contacting|messaging|spamming|bothering|sending|e ?mail|mail|write|contact|message|spam|bother|send)(?: (?:to|me|us|this address|here|any|these|those|your|further|more|this|such|stuff|${MAILS}))*${LATER}`,
  `${EN_WANT}opt(?: me| us)? ?out(?: (?:of|from)(?: (?:this|these|your|all|any|future|further|list|mailings?|communications?|${MAILS}))+)?${LATER}`,
  'opt (?:me|us) out',
  '(?:add|put) me (?:to|on) (?:your|the) (?:do not (?:contact|call|e ?mail|mail)|suppression|unsubscribe|opt out|block) list',
  `(?:i|we) (?:do not|dont|no longer) (?:want|wish)(?: to)? (?:(?:receive|get)(?: (?:these|any|your|more|further|such))*(?: (?:${MAILS}|mailings|correspondence|communications?))(?: from (?:you|your company))?|hear from you|be (?:contacted|e ?mailed)(?: by you)?)${LATER}`,
  `no (?:more|further) (?:${MAILS}|contact|communication)(?: from you)?`,
  `(?:stop|cease|end)(?: (?:all|any|your|this|further|future))* (?:contact|communications?|correspondence|${MAILS})(?: (?:with|to) (?:me|us))?${LATER}`,
  '(?:this is )?spam(?: (?:stop|unsubscribe|remove me))+',
  'leave me alone|cancel my subscription|lose my (?:e ?mail|address)(?: address)?|(?:erase|delete) (?:all )?my (?:personal )?data',
];

const DE_LIST = from(
  'von|vom|aus|fur',
  'ihrem|ihrer|ihren|dem|der|den|diesem|dieser|allen|eurem|eurer|deinem|deiner|newsletter|verteiler|verteilerliste|liste|mailingliste|mailing|datenbank|system|adressliste|kontaktliste|mailverteiler|e ?mails?|mails|weiteren',
).replace(')+)?', ')*)?');
const DE_MINE = '(?:mich|uns|meine (?:e ?mail ?)?(?:adresse|daten))';
const DE_MAILS =
  '(?: (?:weiteren|weitere|mehr|e ?mails?|mails?|nachrichten|werbung|werbemails?|newsletter|von ihnen|von euch|kontaktaufnahme|kontakt))+';
const GERMAN = [
  `(?:ich (?:mochte|will|wunsche))?(?:(?:^| )${DE_MINE})?${DE_LIST}(?:(?:^| )${DE_MINE})?(?:^| )(?:abmelden|austragen|abbestellen|abgemeldet werden|entfernt werden|gestrichen werden|geloscht werden|ausgetragen werden|streichen|entfernen|loschen|nehmen|rausnehmen|herausnehmen)`,
  `(?:nehmen|streichen|loschen|entfernen|tragen|melden|nimm|streich|streiche|losch|losche|entfern|entferne|trag|trage|meld|melde)(?: sie)? ${DE_MINE}${DE_LIST}(?: (?:aus|ab|raus|heraus|runter))?`,
  `(?:schreiben|schicken|senden|kontaktieren|schreib|schick|sende)(?: sie)? (?:mir|uns|mich) (?:nicht mehr|nie wieder|keine${DE_MAILS})(?: an)?`,
  `(?:ich )?(?:(?:mochte|will|wunsche)(?: ich)? )?keine${DE_MAILS}(?: (?:erhalten|bekommen))?`,
  '(?:ich )?widerspreche der (?:nutzung|verwendung|verarbeitung) meiner (?:daten|e ?mail ?adresse)(?: zu (?:werbezwecken|marketingzwecken))?',
  'newsletter (?:abmelden|abbestellen)|kein kontakt mehr|(?:ich )?melde mich(?: hiermit)? ab',
];

const FR_LIST =
  '(?: (?:de|des|du)(?: (?:votre|vos|la|le|les|cette|ces|toutes|tous|liste|listes|newsletter|mailing|mailings|diffusion|de|mails|e ?mails|envois|base|donnees|contacts))+)?';
const FR_MINE =
  '(?:mon (?:adresse(?: (?:mail|e ?mail))?|e ?mail|mail|nom|contact)|mes (?:coordonnees|donnees))';
const FR_MAILS = '(?:mails?|e ?mails?|messages?|courriels?|newsletters?|publicites?|sollicitations?)';
const FRENCH = [
  `(?:je (?:souhaite|veux|voudrais|desire|demande a) )?(?:me |nous |etre )?(?:desabonner|desinscrire|desabonne|desabonnee|desinscrit|desinscrite|retire de|retiree de)${FR_LIST}`,
  `(?:ma )?(?:desinscription|desabonnement)${FR_LIST}`,
  `(?:desinscrivez|desabonnez|retirez|supprimez|enlevez|rayez|effacez) (?:moi|nous|${FR_MINE})${FR_LIST}`,
  `(?:me |nous )?(?:retirer|supprimer|enlever|desinscrire|desabonner|rayer|effacer)(?: ${FR_MINE})?${FR_LIST}`,
  `ne (?:me |m)(?:contactez|ecrivez|envoyez|sollicitez|derangez) plus(?: (?:de|d|vos))?(?: ?${FR_MAILS})?`,
  `ne plus (?:me |m)(?:contacter|ecrire|envoyer|solliciter)(?: (?:de|d|vos) ?${FR_MAILS})?`,
  `je ne (?:souhaite|veux|desire|voudrais) plus (?:recevoir (?:de |vos |ces |d)?${FR_MAILS}(?: de (?:votre part|vous))?|etre (?:contacte|contactee|sollicite|sollicitee)(?: par vous)?)`,
  `(?:arretez|cessez) de (?:me |m)(?:contacter|ecrire|spammer|harceler|envoyer(?: (?:des|de|vos) ${FR_MAILS})?)`,
  `plus (?:de |d)${FR_MAILS}`,
];

const ES_LIST =
  '(?: (?:de|del)(?: (?:su|sus|la|las|esta|estas|vuestra|todas|lista|listas|de|correo|correos|distribucion|base|datos|boletin|newsletter|envios|contactos))+)?';
const ES_MAILS = '(?:correos?(?: electronicos?)?|e ?mails?|mensajes?|publicidad|spam)';
const SPANISH = [
  `(?:(?:quiero|deseo|quisiera|solicito|necesito) )?(?:(?:darme|dar|denme|deme|dame|dadme|que me den) de baja|(?:la )?baja|cancelar (?:mi |la )?suscripcion|desuscribirme|desuscribir)${ES_LIST}`,
  `(?:eliminenme|elimineme|eliminame|quiteme|quitenme|quitame|borreme|borrenme|borrame|saqueme|saquenme|sacame|retireme|retirenme)${ES_LIST}`,
  `(?:eliminen?|borren?|quiten?|eliminar|borrar|quitar) (?:mi (?:correo|e ?mail|direccion(?: de correo)?|nombre)|mis datos)${ES_LIST}`,
  `no (?:me |nos )(?:escriban?|contacten?|envien?|manden?|escribas|contactes|envies|mandes)(?: mas)?(?: ${ES_MAILS})?(?: mas)?`,
  `no (?:quiero|deseo)(?: recibir)?(?: (?:mas|sus|estos))*(?: ${ES_MAILS})(?: (?:suyos|de ustedes|de su parte))?`,
  `(?:dejen?|deja|paren?) de (?:escribirme|contactarme|molestarme|(?:enviarme|mandarme) ${ES_MAILS})`,
  `no mas ${ES_MAILS}`,
];

const IT_LIST =
  '(?: (?:dalla|dalle|dal|dai|da|della|alla)(?: (?:vostra|vostre|vostro|sua|questa|tutte|le|la|mailing|lista|liste|list|newsletter|di|database|distribuzione|contatti))*)?';
const IT_MAILS = '(?:e ?mail|mail|messaggi|comunicazioni|newsletter|pubblicita)';
const ITALIAN = [
  `(?:(?:voglio|vorrei|desidero|chiedo di) )?(?:cancellarmi|disiscrivermi|essere (?:cancellat[oa]|rimoss[oa]|eliminat[oa])|(?:la )?(?:cancellazione|disiscrizione))${IT_LIST}`,
  `(?:cancellatemi|rimuovetemi|toglietemi|eliminatemi|cancellami|rimuovimi|toglimi|disiscrivetemi|disiscrivimi|mi (?:cancelli|rimuova|tolga|elimini|cancellate|disiscriva))${IT_LIST}`,
  `(?:rimuovete|cancellate|eliminate|rimuovere|cancellare|eliminare) (?:il mio (?:indirizzo(?: e ?mail)?|nominativo|contatto|nome)|i miei dati)${IT_LIST}`,
  `non (?:scrivetemi|contattatemi|inviatemi|mandatemi|scrivermi|contattarmi|mi (?:scrivete|contattate|scriva|contatti|mandate|inviate))(?: piu)?(?: ${IT_MAILS})?(?: piu)?`,
  `non (?:voglio|desidero)(?: piu)?(?: ricevere)?(?: (?:piu|le|vostre|altre))*(?: ${IT_MAILS})(?: da (?:voi|lei))?`,
  `smett(?:ete|a|ila|i) di (?:scrivermi|contattarmi|inviarmi ${IT_MAILS}|mandarmi ${IT_MAILS})`,
  `basta ${IT_MAILS}`,
];

const PT_LIST =
  '(?: (?:da|de|das|do|dos)(?: (?:sua|suas|vossa|vossas|esta|desta|todas|as|lista|listas|de|e ?mails?|distribuicao|contatos|contactos|base|dados|newsletter|mailing))*)?';
const PT_MAILS = '(?:e ?mails?|mensagens|mails?|contatos?|newsletters?)';
const PT_MINE = '(?:o )?(?:meu (?:e ?mail|endereco(?: de e ?mail)?|contato|contacto|nome)|meus dados)';
const PORTUGUESE = [
  `(?:(?:quero|desejo|gostaria de|solicito) )?(?:cancelar (?:a |minha |a minha )?(?:inscricao|subscricao|assinatura)|(?:me )?descadastrar|(?:o )?descadastro|ser removid[oa])${PT_LIST}`,
  `(?:removam?|retirem?|tirem?|excluam?|apaguem?|descadastrem?|cancelem?|remover|retirar|excluir) (?:me|nos|${PT_MINE}|minha inscricao)${PT_LIST}`,
  `me (?:remova|retire|tire|exclua|descadastre)m?${PT_LIST}`,
  `(?:nao|nunca)(?: mais)? (?:me |nos )?(?:enviem?|mandem?|escrevam?|contatem?|contactem?)(?: me)?(?: mais)?(?: ${PT_MAILS})?(?: mais)?`,
  `(?:nao (?:quero|desejo))(?: mais)?(?: receber)?(?: (?:mais|seus|estes|esses|vossos))*(?: ${PT_MAILS})(?: (?:seus|de voces))?`,
  `parem? de (?:me )?(?:enviar|mandar|escrever|contatar|contactar)(?: me)?(?: ${PT_MAILS})?`,
];

const NL_LIST = from(
  'van|uit|voor',
  'uw|de|deze|jullie|je|alle|mailinglijst|maillijst|mailing|lijst|lijsten|nieuwsbrief|bestand|database|verzendlijst|e ?mails?|mails?',
);
const DUTCH = [
  `(?:ik (?:wil|wens))?(?:(?:^| )(?:mij|me|graag))*${NL_LIST}(?:(?:^| )(?:mij|me|graag))*(?:^| )(?:afmelden|uitschrijven|afgemeld worden|uitgeschreven worden|verwijderd worden)${NL_LIST}`,
  `(?:gelieve |graag )?(?:mij|me|ons) (?:uit te schrijven|af te melden|te verwijderen)${NL_LIST}|(?:gelieve )?(?:mij|me|ons)${NL_LIST} te (?:verwijderen|schrappen|halen)`,
  `(?:schrijf|haal|verwijder|meld|schrap) (?:mij|me|ons|mijn (?:e ?mail ?adres|adres|gegevens|naam))${NL_LIST}(?: (?:uit|af|eraf))?`,
  '(?:stuur|mail|schrijf|benader) (?:mij|me|ons) (?:geen|niet)(?: (?:e ?mails?|mails?|berichten|meer))*',
  '(?:ik wil )?geen(?: (?:e ?mails?|mails?|berichten|contact|nieuwsbrieven))+(?: meer)?(?: van (?:u|jullie|je))?(?: meer)?(?: (?:sturen|ontvangen))?',
];

const NORDIC_LIST =
  '(?: (?:fran|ur|fra|av|af)(?: (?:er|era|ert|din|dina|jeres|deres|denna|denne|den|det|har|her|alla|alle|listan|lista|listen|liste|sandlistan|utskick|utskicken|maillistan|mejllistan|maillisten|maillista|e ?postlisten|e ?postlista|nyhetsbrev|nyhedsbrev|database|databasen|system|register))+)?';
const SCANDINAVIAN = [
  `(?:jag vill |jeg vil |jeg onsker (?:a|at) )?(?:gerne )?(?:avregistrera|avregistrere|avprenumerera|afmelde|afmeld|frameld|framelde|avmeld|avmelde|meld)(?: (?:mig|meg|oss|os))?(?: av| fra)?${NORDIC_LIST}`,
  `(?:ta bort|radera|stryk|fjern|slet|slett|ta) (?:mig|meg|oss|os|min (?:adress|adresse|mejladress|mailadress|mailadresse|e ?postadress|e ?postadresse|mail|e ?post|e ?mail)|mine (?:data|oplysninger|opplysninger))(?: (?:bort|vekk|av))?${NORDIC_LIST}`,
  '(?:kontakta|mejla|maila|skriv|skicka|kontakt|send|mail)(?: (?:till|til))?(?: (?:mig|meg|oss|os))? (?:inte|ikke)(?: (?:mig|meg|fler|flere|mer|mere|igen|igjen|till|til|mejl|mail|mails|e ?post))*',
  '(?:ikke|inte) (?:kontakt|kontakta|send|skriv|skicka|mail|mejla)(?: (?:mig|meg|til|till|flere|fler|mails?|mejl|e ?post|mer|mere|igen|igjen))*',
  '(?:sluta|slut|slutt|stop|stopp|stoppa)(?: (?:med|a|at|att))* (?:mejla|maila|maile|mail|kontakta|kontakte|skriva|skrive|skicka|sende)(?: (?:mig|meg|oss|os|till|til|mails?|mejl|e ?post))*',
  '(?:inga|ingen) (?:fler|flere) (?:mejl|mails?|utskick|e ?post|beskeder|meldinger)|ikke flere (?:mails?|e ?post|beskeder)',
  '(?:jag|jeg) (?:vill|vil|onsker) (?:inte|ikke)(?: (?:ha|fa|modtage|motta|langre|lenger|langere))* (?:fler|flere|era|jeres|deres)? ?(?:mejl|mails?|utskick|e ?post)(?: (?:fran|fra) (?:er|jer|dere))?',
];

const FINNISH = [
  '(?:poistakaa|poista|poistaisitteko)(?: (?:minut|minun|meidat|sahkopostiosoitteeni|osoitteeni|tietoni|sahkopostini|nimeni))+(?: (?:listalta|listaltanne|postituslistalta|postituslistaltanne|rekisterista|rekisteristanne|sahkopostilistalta))*',
  '(?:peru|perukaa|peruuta|peruuttakaa|haluan perua|haluan peruuttaa) (?:tilaus|tilaukseni|uutiskirje|tilauksen)',
  'en halua(?: (?:enaa|lisaa|saada|naita|teilta))* (?:viesteja|viestejanne|sahkoposteja|sahkopostia|postia|mainoksia)(?: teilta)?',
  'alkaa(?: enaa)? (?:lahettako|ottako yhteytta|kirjoittako|lahestyko)(?: (?:minulle|minuun|enaa|viesteja|sahkopostia))*',
  'lopettakaa (?:viestien|sahkopostien) lahettaminen(?: minulle)?',
];

const PL_LIST =
  '(?: z(?:e)?(?: (?:listy|bazy|mailingu|waszej|panstwa|tej|swojej|wszystkich|list|subskrypcji|newslettera|mailingowej|danych|adresowej))+)';
const POLISH = [
  `(?:o )?(?:mnie )?(?:wypisanie|wypisac|usuniecie|usunac|wykreslenie|wykreslic|wypiszcie|wypisz|usuncie|usun|skreslcie)(?:(?<=mnie wypisac|mnie usunac|mnie wykreslic)| (?:mnie|mojego adresu(?: e ?mail)?|moj adres(?: e ?mail)?|moich danych|moje dane|mojego maila))${PL_LIST}?`,
  `o (?:wypisanie|usuniecie|wykreslenie)${PL_LIST}`,
  'rezygnuje(?: z (?:subskrypcji|newslettera|otrzymywania (?:wiadomosci|maili|mailingu)))?|chce sie wypisac',
  '(?:nie|przestac|przestancie|wiecej nie)(?: (?:wiecej|juz|do mnie|mi))* (?:pisac|pisz|piszcie|wysylac|wysylajcie|kontaktowac sie|przysylac|przysylajcie)(?: (?:do mnie|wiecej|juz|maili|wiadomosci|mailingu|ze mna|mi|spamu))*',
  'nie (?:chce|zycze sobie)(?: (?:wiecej|juz|otrzymywac|dostawac|od was|od panstwa))* (?:maili|wiadomosci|mailingu|ofert|kontaktu)(?: od (?:was|panstwa))?',
];

const CS_LIST =
  '(?: z(?:e)?(?: (?:vaseho|vasi|vasich|tohoto|teto|databaze|seznamu|odberu|mailing|listu|rozesilky|mailingu|novinek))+)?';
const CZECH = [
  `(?:odhlasit|odhlaste|odhlas|vyradte|vymazte|odstrante|smazte|odeberte|vyskrtnete) (?:me|mne|nas|mou adresu|moji adresu|muj e ?mail)${CS_LIST}`,
  `(?:chci|preji si|zadam o|chtel bych|chtela bych) (?:se )?(?:odhlasit|odhlaseni|vyrazeni|vymazani)${CS_LIST}`,
  `o (?:odhlaseni|vyrazeni|vymazani)${CS_LIST}`,
  'nepiste mi(?: (?:uz|vice|prosim))*|nekontaktujte me(?: uz)?',
  'neposilejte mi(?: (?:uz|zadne|dalsi|vice))*(?: (?:e ?maily|maily|zpravy|nabidky|e ?mailu))?',
  'nechci(?: (?:uz|dostavat|vase|zadne|dalsi))* (?:e ?maily|maily|zpravy|nabidky)',
];

const RU_LIST =
  '(?: (?:из|от|с|зі|з|із|від)(?: (?:вашей|ваших|вашего|этой|этого|всех|рассылки|рассылок|базы|списка|списков|данных|вашої|вашого|розсилки|списку|бази))+)?';
const RUSSIAN = [
  `(?:отпишите|удалите|исключите|уберите|вычеркните|отписать|удалить|исключить|убрать) (?:меня|нас|мой адрес|мою почту|мой (?:e ?mail|имейл|емейл)|мои данные)${RU_LIST}`,
  `(?:хочу |желаю )?отписаться${RU_LIST}`,
  '(?:больше )?не (?:пишите|присылайте|беспокойте|отправляйте|шлите|писать|присылать|беспокоить)(?: (?:мне|нам|меня|больше|сюда|писем|письма|рассылку|рекламу|спам|никогда))*',
  '(?:прекратите|хватит) (?:рассылку|спамить|писать|присылать|слать|отправлять)(?: (?:мне|письма|спам|рекламу))*',
  'не (?:хочу|желаю)(?: (?:больше|получать|ваши|ваших|от вас|вашу))* (?:писем|письма|рассылку|рассылки|рекламу)(?: от вас)?',
];
const UKRAINIAN = [
  `(?:відпишіть|видаліть|виключіть|приберіть) (?:мене|нас|мою адресу|мою пошту)${RU_LIST}`,
  `(?:хочу )?відписатися${RU_LIST}`,
  '(?:більше )?не (?:пишіть|надсилайте|турбуйте|надсилати|писати)(?: (?:мені|нам|мене|більше|листів|листи))*',
];

const TURKISH = [
  '(?:beni |bizi )?(?:e ?mail |mail |e posta |posta )?(?:abonelikten|listeden|listenizden|listesinden|uyelikten) (?:cikmak istiyorum|cikar|cikarin|cikariniz|cikarir misiniz|ayrilmak istiyorum|cik|silin|siliniz)',
  '(?:bana |bize )?(?:bir daha |artik |tekrar )*(?:mail |e posta |eposta |mesaj |e mail )?(?:atmayin|gondermeyin|yazmayin|gondermeyiniz|atmayiniz|yollamayin)',
  'aboneligi(?:mi)? iptal(?: (?:edin|et|ediniz|etmek istiyorum))?',
];

export const PHRASES: readonly string[] = [
  ...ENGLISH,
  ...GERMAN,
  ...FRENCH,
  ...SPANISH,
  ...ITALIAN,
  ...PORTUGUESE,
  ...DUTCH,
  ...SCANDINAVIAN,
  ...FINNISH,
  ...POLISH,
  ...CZECH,
  ...RUSSIAN,
  ...UKRAINIAN,
  ...TURKISH,
];

/** Of languages that write no spaces, or do as they like: matched without them. */
const JA_ASK =
  '(?:して|ください|下さい|くださいませ|下さいませ|お願い|願い|いたします|致します|します|希望|いただけますか|いただきたいです|頂けますか|ほしい|欲しい|です|を|に|ご|たい)*';
export const UNSPACED: readonly string[] = [
  `(?:今後の?|この|御社の?|貴社の?|ご?案内の?|メールの?|メルマガの?|営業メールの?|ご?連絡の?)*(?:配信|送信|送付|登録|購読|連絡|メール|メルマガ|営業)?(?:の|を|は)?(?:停止|解除|中止|不要|拒否|お断り|やめて|止めて)${JA_ASK}`,
  `(?:私を|弊社を|当社を)?(?:配信|メーリング|送信)?(?:リスト|名簿)から(?:削除|外|除外|はず)(?:して|し)?${JA_ASK}`,
  '(?:もう|今後|二度と|これ以上)*(?:は)?(?:、)?(?:メール|連絡|営業メール)?(?:を|は)?(?:送ら|し|送信し|送付し)ないで(?:ください|下さい|ほしい|欲しい)?',
  '退会(?:を)?(?:希望|します|したい|お願いします|希望します)*',
  '(?:请|請|麻烦|我要|我想|帮我|给我|为我|把我|将我)*(?:退订|取消订阅|退訂|取消訂閱)(?:邮件|郵件|此邮件|这个邮件|了|吧|谢谢|謝謝)*',
  '(?:请|請|以后|以後)*(?:不要|别|別|勿|停止)再?(?:给我|給我|向我|跟我|和我)?(?:发送|發送|发|發|寄|联系|聯繫|聯絡|打扰|打擾)(?:我|邮件|郵件|信|广告|廣告|垃圾|了|给我|給我|消息|谢谢)*',
  '(?:请|請|麻烦)*(?:把|将|將)?我?(?:从|從)(?:你们的?|您的|贵公司的?|你的|你們的?)?(?:邮件|郵件|邮寄|联系)?(?:列表|名单|名單|清單|数据库|資料庫)(?:中|里|裡|上)?(?:把我|将我)?(?:删除|刪除|移除|去掉|剔除)(?:谢谢|掉)*',
  '(?:메일|이메일)?(?:을|를)?(?:수신거부|구독취소|구독해지|수신거절)(?:를|을)?(?:합니다|해|주세요|부탁|드립니다|드려요|요청|바랍니다|할게요|원합니다)*',
  '(?:더이상|앞으로|이제|다시는|다시)*(?:는)?(?:저에게|제게)?(?:메일|이메일|연락|문자|광고)(?:을|를)?(?:보내지|하지)(?:말아|마)(?:주세요|주십시오|세요|십시오|주시기바랍니다)',
  '(?:저를|제이메일을|제주소를)?(?:메일)?(?:링)?(?:목록|명단|리스트)에서(?:저를|제이메일을|제주소를)?(?:삭제|제외|빼)(?:해)?(?:주세요|주십시오|부탁드립니다|바랍니다)*',
].map((form) => form.normalize('NFC'));

/** They may mean something else within a text. */
export const WORDS: readonly string[] = [
  '(?:unsubscribe|unsub|stop|remove|cancel|opt ?out|no more|enough)(?: (?:unsubscribe|stop|remove|all|now|it|this))*',
  'abmelden|abmeldung|austragen|abbestellen|stopp|aufhoren|loschen',
  'desabonner|desinscrire|desinscription|desabonnement|arret|arretez|stop mails?',
  'baja|borrar|eliminar|desuscribir|cancellare|cancellami|disiscrivi|basta|remover|descadastrar|parar|sair|pare',
  'afmelden|uitschrijven|stoppen|verwijderen|avregistrera|avprenumerera|afmeld|avmeld|sluta|slutt|fjern|poista|lopeta|peru',
  'wypisz|wypisac|rezygnuje|usun|odhlasit|odhlaseni|konec|отписка|отписаться|стоп|хватит|відписатися|ayril|iptal|cik|dur',
  '停止|解除|退会|不要|退订|退訂|取消|수신거부|거부',
];

/** What joins two wishes in one sentence. */
export const AND = 'and|und|et|y|e|en|og|och|ja|i|a|и|та|і|ve';

/** Words that make a wish polite, or urgent: taken out wherever they exist. */
export const COURTESIES: readonly string[] = [
  'please|pls|plz|kindly|thanks|thank you|thx|many thanks|cheers|hereby|just|simply|immediately|asap|at once|right away|urgently',
  'bitte|danke|vielen dank|hiermit|sofort|umgehend|unverzuglich|freundlicherweise',
  's il vous plait|sil vous plait|svp|s v p|stp|merci|immediatement|de suite|bien vouloir',
  'por favor|gracias|inmediatamente|de inmediato|per favore|per cortesia|grazie|immediatamente|subito|obrigado|obrigada|imediatamente',
  'alstublieft|alsjeblieft|aub|a u b|ajb|gelieve|bedankt|dank u|direct|onmiddellijk|snarast|omgaende|tack|tak|takk|venligst|vennligst|vanligen|kiitos|ystavallisesti|heti',
  'prosze|dziekuje|natychmiast|prosim|dekuji|okamzite|пожалуйста|спасибо|немедленно|срочно|будь ласка|дякую|lutfen|tesekkurler|hemen|derhal',
];

/** What people begin with before they say it. */
export const OPENINGS: readonly string[] = [
  'hi|hello|hey|sorry|again|and|ok|okay|no|not interested|(?:can|could|would|will) you|so|i said|as i said',
  'hallo|kein interesse|nein|(?:konnen|konnten|wurden) sie|bin nicht interessiert',
  'bonjour|non|pas interesse|(?:pouvez|pourriez) vous|veuillez|de',
  'hola|no me interesa|(?:puede|pueden|podria|podrian)|ciao|non mi interessa|(?:potete|puo|potreste)|(?:pode|podem|poderia|poderiam)|nao tenho interesse',
  '(?:kunt|wilt) u|(?:kan|wil) je|kunnen jullie|geen interesse|(?:kan|vill|kunne) (?:ni|du|i|dere)|ei kiinnosta|(?:voisitteko|voitteko)',
  'czy (?:mozecie|moglibyscie)|(?:muzete|mohli byste)|(?:можете|прошу|просим|просьба|будьте добры)|прошу вас',
];
