// The signing secret, shown once and until its own button closes it.
import { Button, Modal } from '@mantine/core';
import { SecretOnce } from '../../../../ui/kit/code-block.tsx';
import { Verify } from './verify.tsx';
import classes from '../../../../ui/kit/settings-card.module.css';

export function SecretDialog({ secret, onClose }: { secret: string | null; onClose: () => void }) {
  return (
    <Modal
      opened={secret !== null}
      onClose={onClose}
      title="Signing secret for events"
      size={640}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      {secret !== null && (
        <div className={classes.stack}>
          <SecretOnce value={secret} label="signing secret">
            Copy it to your receiver now. It won’t be shown again.
          </SecretOnce>
          <Verify />
          <div className={classes.end}>
            <Button onClick={onClose}>I’ve copied it</Button>
          </div>
        </div>
      )}
    </Modal>
  );
}
