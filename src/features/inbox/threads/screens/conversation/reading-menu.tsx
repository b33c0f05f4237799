// Reading of a message as a colored pill, and the menu that corrects it.
import { UnstyledButton } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { useAct } from '../../../../../ui/client/hooks.ts';
import { Pill } from '../../../../../ui/kit/pills.tsx';
import type { Touch } from '../../touches.contract.ts';
import { PickMenu } from './pick-menu.tsx';
import { readBy, READING, READINGS_LISTED } from './words.ts';
import classes from './reading-menu.module.css';

type ReadingMenuProps = {
  thread: string;
  touch: Touch;
  /** Where another decides whether it is open. */
  opened?: boolean;
  onChange?: (opened: boolean) => void;
  large?: boolean;
};

export function ReadingMenu({ thread, touch, opened, onChange, large = false }: ReadingMenuProps) {
  const [own, setOwn] = useState(false);
  const correct = useAct('thread_reading', {
    says: ({ sentence }) => sentence,
    touches: ['threads', 'prospects', 'deals', 'people', 'suppressions'],
  });
  const now = READING[touch.reading ?? 'unread'];
  return (
    <PickMenu
      opened={opened ?? own}
      onChange={onChange ?? setOwn}
      picks={READINGS_LISTED.map((reading) => ({
        key: reading,
        title: (
          <span className={classes.choice}>
            <Pill tone={READING[reading].tone}>{READING[reading].title}</Pill>
            <span>{READING[reading].says}</span>
          </span>
        ),
        chosen: touch.reading === reading,
        run: () => {
          if (touch.reading !== reading || touch.reading_by !== 'person')
            correct.mutate({ thread, touch_id: touch.id, reading });
        },
      }))}
    >
      <UnstyledButton
        className={classes.pill ?? ''}
        data-large={large || undefined}
        title={`What the reply means. ${readBy(touch)}${touch.confidence === null ? '' : `, ${Math.round(touch.confidence * 100)} % sure`}`}
        aria-label={`Reading: ${now.title}`}
      >
        <Pill tone={now.tone}>
          {now.title} <ChevronDown size={12} aria-hidden />
        </Pill>
      </UnstyledButton>
    </PickMenu>
  );
}
