// The dialog behind `confirm`: cancel, or the act by its name.
import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { useQuestion, type OpenQuestion } from '../kit/confirm.ts';
import { useTopmost } from '../kit/topmost.ts';

export function ConfirmDialog() {
  const question = useQuestion();
  const topmost = useTopmost(question !== null);
  // The last question stays in sight while the dialog closes.
  const [shown, setShown] = useState<OpenQuestion | null>(null);
  if (question && question !== shown) setShown(question);
  return (
    <Modal
      // Above a drawer that opened later than the first question was asked.
      zIndex={250}
      opened={question !== null}
      closeOnEscape={topmost}
      onClose={() => question?.answer(false)}
      title={shown?.title}
      size={420}
      withCloseButton={false}
    >
      <div style={{ color: 'var(--text-2)', marginBottom: 20 }}>{shown?.says}</div>
      <div style={{ display: 'flex', justifyContent: 'flex-end', gap: 8 }}>
        <Button variant="default" onClick={() => question?.answer(false)}>
          Cancel
        </Button>
        <Button
          data-autofocus
          {...(shown?.tone === 'bad' ? { color: 'red' } : {})}
          onClick={() => question?.answer(true)}
        >
          {shown?.act}
        </Button>
      </div>
    </Modal>
  );
}
