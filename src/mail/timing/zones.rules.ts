// Whose time zone applies to a letter (domain.md §6.5): the person’s, else the company’s, else that of a single-zone
// country in which the address ends, else the campaign’s. The rung that decided is saved with the result.

export type ZoneRung = 'person' | 'company' | 'country' | 'campaign';

/**
 * The recipient's zone. `domain` is that of the address; all names are IANA's, checked when they were saved.
 */
export function recipientZone(known: {
  person: string | null;
  company: string | null;
  domain: string | null;
  campaign: string;
}): { timezone: string; rung: ZoneRung } {
  if (known.person !== null) return { timezone: known.person, rung: 'person' };
  if (known.company !== null) return { timezone: known.company, rung: 'company' };
  const ending = known.domain?.split('.').at(-1);
  const country = ending === undefined ? undefined : ONE_CLOCK.get(ending);
  if (country !== undefined) return { timezone: country, rung: 'country' };
  return { timezone: known.campaign, rung: 'campaign' };
}

/** Endings of countries that keep one clock. Endings that are sold to the whole world (.io, .co, .me, .tv …) are left out. */
const ONE_CLOCK = new Map<string, string>(
  Object.entries({
    ad: 'Europe/Andorra',
    ae: 'Asia/Dubai',
    al: 'Europe/Tirane',
    am: 'Asia/Yerevan',
    at: 'Europe/Vienna',
    az: 'Asia/Baku',
    ba: 'Europe/Sarajevo',
    bd: 'Asia/Dhaka',
    be: 'Europe/Brussels',
    bg: 'Europe/Sofia',
    bh: 'Asia/Bahrain',
    bo: 'America/La_Paz',
    by: 'Europe/Minsk',
    ch: 'Europe/Zurich',
    ci: 'Africa/Abidjan',
    cm: 'Africa/Douala',
    cr: 'America/Costa_Rica',
    cu: 'America/Havana',
    cy: 'Asia/Nicosia',
    cz: 'Europe/Prague',
    de: 'Europe/Berlin',
    dk: 'Europe/Copenhagen',
    do: 'America/Santo_Domingo',
    dz: 'Africa/Algiers',
    ee: 'Europe/Tallinn',
    eg: 'Africa/Cairo',
    et: 'Africa/Addis_Ababa',
    fi: 'Europe/Helsinki',
    fr: 'Europe/Paris',
    ge: 'Asia/Tbilisi',
    gh: 'Africa/Accra',
    gr: 'Europe/Athens',
    gt: 'America/Guatemala',
    hk: 'Asia/Hong_Kong',
    hn: 'America/Tegucigalpa',
    hr: 'Europe/Zagreb',
    hu: 'Europe/Budapest',
    ie: 'Europe/Dublin',
    il: 'Asia/Jerusalem',
    in: 'Asia/Kolkata',
    iq: 'Asia/Baghdad',
    ir: 'Asia/Tehran',
    is: 'Atlantic/Reykjavik',
    it: 'Europe/Rome',
    jm: 'America/Jamaica',
    jo: 'Asia/Amman',
    jp: 'Asia/Tokyo',
    ke: 'Africa/Nairobi',
    kg: 'Asia/Bishkek',
    kh: 'Asia/Phnom_Penh',
    kr: 'Asia/Seoul',
    kw: 'Asia/Kuwait',
    lb: 'Asia/Beirut',
    li: 'Europe/Vaduz',
    lk: 'Asia/Colombo',
    lt: 'Europe/Vilnius',
    lu: 'Europe/Luxembourg',
    lv: 'Europe/Riga',
    ma: 'Africa/Casablanca',
    mc: 'Europe/Monaco',
    md: 'Europe/Chisinau',
    mk: 'Europe/Skopje',
    mm: 'Asia/Yangon',
    mt: 'Europe/Malta',
    my: 'Asia/Kuala_Lumpur',
    ng: 'Africa/Lagos',
    ni: 'America/Managua',
    nl: 'Europe/Amsterdam',
    no: 'Europe/Oslo',
    np: 'Asia/Kathmandu',
    om: 'Asia/Muscat',
    pa: 'America/Panama',
    pe: 'America/Lima',
    ph: 'Asia/Manila',
    pk: 'Asia/Karachi',
    pl: 'Europe/Warsaw',
    py: 'America/Asuncion',
    qa: 'Asia/Qatar',
    ro: 'Europe/Bucharest',
    rs: 'Europe/Belgrade',
    rw: 'Africa/Kigali',
    sa: 'Asia/Riyadh',
    se: 'Europe/Stockholm',
    sg: 'Asia/Singapore',
    si: 'Europe/Ljubljana',
    sk: 'Europe/Bratislava',
    sn: 'Africa/Dakar',
    sv: 'America/El_Salvador',
    th: 'Asia/Bangkok',
    tn: 'Africa/Tunis',
    tr: 'Europe/Istanbul',
    tw: 'Asia/Taipei',
    tz: 'Africa/Dar_es_Salaam',
    ua: 'Europe/Kyiv',
    ug: 'Africa/Kampala',
    uk: 'Europe/London',
    uy: 'America/Montevideo',
    uz: 'Asia/Tashkent',
    ve: 'America/Caracas',
    vn: 'Asia/Ho_Chi_Minh',
    ye: 'Asia/Aden',
    za: 'Africa/Johannesburg',
    zm: 'Africa/Lusaka',
    zw: 'Africa/Harare',
  }),
);
