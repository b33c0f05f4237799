// Domains of public mail providers: suppressing one stops letters to everyone who has a mailbox there, whoever they work for.

const PUBLIC: ReadonlySet<string> = new Set(
  `126.com 163.com aim.com alice.it aol.com arcor.de att.net bellsouth.net bigpond.com bluewin.ch bol.com.br btinternet.com
  centrum.cz charter.net comcast.net cox.net duck.com earthlink.net email.cz email.de fastmail.com fastmail.fm foxmail.com
  free.fr freemail.hu freenet.de gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net googlemail.com hanmail.net
  hey.com home.nl hotmail.be hotmail.co.uk hotmail.com hotmail.de hotmail.es hotmail.fr hotmail.it hotmail.nl hushmail.com
  icloud.com inbox.lv inbox.ru interia.pl juno.com kpnmail.nl laposte.net libero.it list.ru live.be live.co.uk live.com
  live.de live.fr live.nl mac.com mail.com mail.de mail.ru mailbox.org me.com msn.com naver.com o2.pl online.no onet.pl
  optonline.net orange.fr outlook.be outlook.com outlook.de outlook.es outlook.fr outlook.it outlook.nl pm.me posteo.de
  proton.me protonmail.ch protonmail.com qq.com rediffmail.com rocketmail.com sapo.pt sbcglobal.net seznam.cz sfr.fr
  shaw.ca sina.com skynet.be sky.com sympatico.ca t-online.de talktalk.net telenet.be telia.com terra.com.br tiscali.it
  tuta.com tuta.io tutanota.com uol.com.br verizon.net virgilio.it virginmedia.com wanadoo.fr web.de windowslive.com wp.pl
  xs4all.nl yahoo.ca yahoo.co.in yahoo.co.jp yahoo.co.uk yahoo.com yahoo.com.br yahoo.de yahoo.es yahoo.fr yahoo.it yandex.com
  yandex.ru yeah.net ymail.com zeelandnet.nl ziggo.nl zoho.com`.split(/\s+/),
);

/** `domain` as it is matched: lower-case ASCII. */
export const isPublicProvider = (domain: string): boolean => PUBLIC.has(domain);
