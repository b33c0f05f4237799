// The thread that reads long mail: bytes in, what they say out, one after the other.
import { parentPort } from 'node:worker_threads';
import { look, type Sought } from './look.ts';

parentPort?.on('message', ({ bytes, sought }: { bytes: Uint8Array; sought: Sought }) => {
  void look(bytes, sought).then((looked) => parentPort?.postMessage(looked));
});
