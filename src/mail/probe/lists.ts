// Mailboxes that belong to a role instead of a person, and domains of disposable mailboxes. Written lists, short on
// purpose, since a wrong entry costs a real person; the operator can extend the second.

/** After RFC 2142 and what companies print on their entry points, in the languages of our users. Tags after + are cut before. */
const ROLES: ReadonlySet<string> = new Set(
  `abuse accounting accounts admin administrator all-staff anfrage assistant billing bewerbung booking bookings
  buchhaltung careers ceo comercial commercial compliance compras contact contacto contactus contato contatti customercare
  customerservice datenschutz devnull dns donotreply do-not-reply editor einkauf email empfang enquiries enquiry events
  everyone facturacion faktura feedback finance ftp fundraising general gdpr geschaeftsleitung hello help helpdesk hilfe
  hostmaster hr info infos information inquiries investors invoice invoices it jobs kontakt kundenservice legal list
  list-request mail mailer-daemon marketing media membership moderator news newsletter no-reply nobody noc noreply office
  operations orders ops partners payroll personal post postmaster poststelle presse press privacy procurement pr purchasing
  reception rechnung recruiting recruitment registrar rekrutierung reservations root rrhh sales secretary security sekretariat
  service services shop staff subscribe support sysadmin team tech technik tickets undisclosed-recipients unsubscribe usenet
  uucp vendas ventas vertrieb verkauf verwaltung webmaster welcome www zentrale`.split(/\s+/),
);

const DISPOSABLE: ReadonlySet<string> = new Set(
  `10minutemail.com 20minutemail.com discard.email dispostable.com emailondeck.com
  fakeinbox.com fakemail.net getairmail.com getnada.com grr.la guerrillamail.biz guerrillamail.com guerrillamail.de
  guerrillamail.info guerrillamail.net guerrillamail.org guerrillamailblock.com harakirimail.com incognitomail.org inboxkitten.com
  jetable.org mail-temp.com mailcatch.com maildrop.cc mailexpire.com mailinator.com mailinator.net mailnesia.com mailnull.com
  mailsac.com minuteinbox.com mintemail.com moakt.com mohmal.com mytemp.email mytrashmail.com nada.email pokemail.net
  sharklasers.com spam4.me spamgourmet.com temp-mail.io temp-mail.org tempail.com tempinbox.com tempmail.com tempmail.net
  tempmailo.com tempr.email throwawaymail.com trash-mail.com trashmail.com trashmail.de trashmail.net wegwerfemail.de
  wegwerfmail.de wegwerfmail.net yopmail.com yopmail.fr yopmail.net`.split(/\s+/),
);

export const isRole = (local: string): boolean => ROLES.has(local.toLowerCase().replace(/\+.*$/s, ''));

/** The domain or one above it: such services hand out subdomains. */
export function isDisposable(domain: string, more: ReadonlySet<string>): boolean {
  const labels = domain.split('.');
  return labels.some((_, at) => {
    const above = labels.slice(at).join('.');
    return DISPOSABLE.has(above) || more.has(above);
  });
}
