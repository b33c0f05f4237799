// The signing secret, shown this once: it is in sight until it is dismiss by its own button.
import { Button, Modal } from '@mantine/core';
import { SecretOnce } from '../../../../ui/kit/code-block.tsx';
import { Verify } from './verify.tsx';
import classes from '../../../../ui/kit/settings-card.module.css';

export function SecretDialog({ secret, onClose }: { secret: string | null; onClose: () => void }) {
  return (
    <Modal
      opened={secret !== null}
      onClose={onClose}
      title="The signing secret of events"
      size={640}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      {secret !== null && (
        <div className={classes.stack}>
          <SecretOnce value={secret} label="signing secret">
            Give it to the receiver now: it is shown this once and cannot be read back, only rotated.
          </SecretOnce>
          <Verify />
          <div className={classes.end}>
            <Button onClick={onClose}>I have copied it</Button>
          </div>
        </div>
      )}
    </Modal>
  );
}
