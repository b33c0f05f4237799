// Formats phone numbers if their country is known, and otherwise leaves them as they were written.
import parsePhoneNumber, { isSupportedCountry } from 'libphonenumber-js/min';

/** E.164 (`+493012345`), or the text as it was given. `country`: two capitals. */
export function phoneOf(text: string, country: string | null): string {
  const home = country && isSupportedCountry(country) ? country : undefined;
  const parsed = parsePhoneNumber(text, { ...(home && { defaultCountry: home }), extract: false });
  return parsed?.isValid() && !parsed.ext ? parsed.number : text;
}
