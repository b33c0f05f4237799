// Placeholder of this screen.
import { Page } from '../../../ui/kit/page.tsx';
import { Empty } from '../../../ui/kit/states.tsx';

export function ApiScreen() {
  return (
    <Page crumbs={[{ title: 'API' }]}>
      <Empty title="API">Not here yet.</Empty>
    </Page>
  );
}
