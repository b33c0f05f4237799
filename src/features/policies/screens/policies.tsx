// Placeholder of this screen.
import { Page } from '../../../ui/kit/page.tsx';
import { Empty } from '../../../ui/kit/states.tsx';

export function PoliciesScreen() {
  return (
    <Page crumbs={[{ title: 'Policies' }]}>
      <Empty title="Policies">Not here yet.</Empty>
    </Page>
  );
}
