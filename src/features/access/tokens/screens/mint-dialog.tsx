// The dialog that mints a token, and then shows its value this once with the lines that use it.
import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { SecretOnce } from '../../../../ui/kit/code-block.tsx';
import { useTopmost } from '../../../../ui/kit/topmost.ts';
import { ConnectLines } from './connect-lines.tsx';
import { MintForm, type Minted } from './mint-form.tsx';

export function MintDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [minted, setMinted] = useState<Minted | null>(null);
  const topmost = useTopmost(opened);
  // The value is in sight until it is dismissed by its own button: a slip beside the dialog does not lose it.
  const close = (): void => {
    onClose();
    setMinted(null);
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={minted ? `Token "${minted.token.name}"` : 'Mint a token'}
      size={600}
      closeOnClickOutside={minted === null}
      closeOnEscape={topmost && minted === null}
      withCloseButton={minted === null}
    >
      {minted ? (
        <div style={{ display: 'flex', flexDirection: 'column', gap: 20 }}>
          <SecretOnce value={minted.value} label="token value" />
          <ConnectLines value={minted.value} />
          <div style={{ display: 'flex', justifyContent: 'flex-end' }}>
            <Button onClick={close}>I’ve copied it</Button>
          </div>
        </div>
      ) : (
        <MintForm onMinted={setMinted} cancel={close} />
      )}
    </Modal>
  );
}
