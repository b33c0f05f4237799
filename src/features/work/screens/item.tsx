// Placeholder of this screen.
import { Page } from '../../../ui/kit/page.tsx';
import { Empty } from '../../../ui/kit/states.tsx';

export function ItemScreen() {
  return (
    <Page crumbs={[{ title: 'Item' }]}>
      <Empty title="Item">Not here yet.</Empty>
    </Page>
  );
}
