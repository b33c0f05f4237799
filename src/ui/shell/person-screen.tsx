// A person's page with what other areas let one do there: writing a letter, asking whether addresses exist.
import { PersonScreen as Person } from '../../features/crm/people/screens/person.tsx';
import { later } from '../kit/later.tsx';

const OFFERS = {
  WriteLetter: later(
    () => import('../../features/outreach/sends/screens/write-letter.tsx').then((m) => m.WriteLetter),
    ({ opened }) => opened,
  ),
  VerifyDialog: later(
    () =>
      import('../../features/outreach/verification/screens/verify-dialog.tsx').then((m) => m.VerifyDialog),
    ({ opened }) => opened,
  ),
};

export const PersonScreen = () => <Person offers={OFFERS} />;
