// A record of a list in a drawer: shown or edited, or a new one being made. The last one stays in sight while the drawer closes.
import { Fragment, type ReactNode, useState } from 'react';
import { ActButton } from './act-button.tsx';
import { confirm } from './confirm.ts';
import { DetailDrawer } from './detail-drawer.tsx';

type RecordDrawerProps<R> = {
  record: R | null;
  /** Where a new one can be made; else it is opened where there is a record. */
  opened?: boolean;
  onClose: () => void;
  /** What tells one record from another: what was typed for one is not shown for the next. */
  id: (record: R) => string;
  title: (record: R) => ReactNode;
  children: (record: R) => ReactNode;
  /** A new one. */
  making?: { title: string; body: ReactNode };
  size?: number;
};

export function RecordDrawer<R>(props: RecordDrawerProps<R>) {
  const { record, opened = record !== null, onClose, id, title, children, making, size } = props;
  const [kept, setKept] = useState(record);
  if (opened && record !== kept) setKept(record);
  return (
    <DetailDrawer
      title={kept ? title(kept) : making?.title}
      opened={opened}
      onClose={onClose}
      {...(size !== undefined && { size })}
    >
      <Fragment key={kept ? id(kept) : 'new'}>{kept ? children(kept) : making?.body}</Fragment>
    </DetailDrawer>
  );
}

type RemoveButtonProps = {
  /** What the button says. */
  word: string;
  question: { title: string; says: string; act: string };
  busy: boolean;
  remove: () => void;
  /** Why it cannot be. */
  closed?: string | null;
  mt?: number;
};

/** The end of a record, at the end of its drawer: asked about first. */
export function RemoveButton({ word, question, busy, remove, closed = null, mt = 24 }: RemoveButtonProps) {
  const ask = async (): Promise<void> => {
    if (await confirm({ ...question, tone: 'bad' })) remove();
  };
  return (
    <ActButton color="red" variant="light" mt={mt} closed={closed} loading={busy} onClick={() => void ask()}>
      {word}
    </ActButton>
  );
}
