// An item whole: its title and text, changed where they exist, what holds or stops it, its fields, and what happened to it. The
// same on its own page and at the side of a board.
import { Bone } from '../../../../../ui/kit/states.tsx';
import { useRead } from '../../../../../ui/client/hooks.ts';
import { useMemo } from 'react';
import type { Item } from '../../items.contract.ts';
import { ReviewBanner, EarlierDecisions } from '../../../approvals/screens/shared.ts';
import { ClaimLine } from './claim.tsx';
import { ConflictPanel } from './conflict.tsx';
import { DeleteItem } from './delete.tsx';
import { Description } from './description.tsx';
import { Fields } from './fields.tsx';
import { MovingContext } from '../board/move-menu.tsx';
import { useSaving } from './save.ts';
import { Timeline } from './timeline.tsx';
import { Title } from './title.tsx';
import classes from './item.module.css';

type ItemViewProps = {
  item: Item;
  /** It is at the side of something: one column, no keys of its own. */
  narrow?: boolean;
  /** It was deleted. */
  gone: () => void;
};

export function ItemView({ item, narrow = false, gone }: ItemViewProps) {
  const read = useRead('project_get', { project: item.project_id }, { stale_ms: 60_000 }).data;
  // An item has the fields of its project and those of every project.
  const project = read && { ...read.project, custom_fields: read.item_fields };
  const saving = useSaving(item);
  const { move } = saving;
  const titles = project?.column_titles;
  const moving = useMemo(
    () => ({ titles: titles ?? {}, move: (_: unknown, to: Item['status']) => move(to), closed: () => {} }),
    [titles, move],
  );
  if (!project) return <Bone width="60%" height={22} />;
  return (
    <MovingContext value={moving}>
      <div className={classes.item} data-narrow={narrow || undefined}>
        <div className={classes.main}>
          <Title item={item} saving={saving} level={narrow ? 2 : 1} />
          <ConflictPanel saving={saving} titles={project.column_titles} fields={project.custom_fields} />
          {item.approval_id && <ReviewBanner approval_id={item.approval_id} keys={!narrow} />}
          <EarlierDecisions subject={item.id} />
          <Description item={item} saving={saving} />
          {narrow && <Side item={item} project={project} saving={saving} gone={gone} />}
          <Timeline item={item} project={project} />
        </div>
        {!narrow && (
          <div className={classes.side}>
            <Side item={item} project={project} saving={saving} gone={gone} />
          </div>
        )}
      </div>
    </MovingContext>
  );
}

const Side = ({ item, project, saving, gone }: Parameters<typeof Fields>[0] & { gone: () => void }) => (
  <>
    <ClaimLine item={item} />
    <Fields item={item} project={project} saving={saving} />
    <DeleteItem item={item} gone={gone} />
  </>
);
