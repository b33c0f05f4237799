// Hands a file to the import with what was said about it, and tells how much of it has gone out: fetch cannot tell that.
import { ApiError, type Answer } from '../../../../ui/client/call.ts';
import { routes } from '../../../../ui/client/operations.gen.ts';

type Sent = Answer<'people_import'>;
type Sending = { told: (share: number) => void; signal: AbortSignal };

const NOT_ARRIVED = 'Upload failed. Check your connection and try again.';
const CHANGED = 'The file changed or moved since you chose it. Choose it again to create a new plan.';
const NO_SENTENCE = 'Unexpected response. Try again. If it keeps happening, contact your operator.';

/** The file goes last, so that whoever may not import is told before it is read. */
export function sendFile(file: File, args: object, { told, signal }: Sending): Promise<Sent> {
  const [method, path] = routes.people_import;
  const body = new FormData();
  body.set('arguments', JSON.stringify(args));
  body.set('file', file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, path);
    request.upload.addEventListener('progress', ({ loaded, total }) => told(total > 0 ? loaded / total : 0));
    request.addEventListener('load', () => {
      const answer = parsed(request.responseText);
      if (request.status === 200 && answer !== null) resolve(answer as Sent);
      else reject(refusal(request.status, answer));
    });
    request.addEventListener('error', () => void notArrived(file).then(reject));
    request.addEventListener('abort', () => reject(new ApiError(0, 'given_up', NOT_ARRIVED)));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function refusal(status: number, answer: unknown): ApiError {
  const { error } = (answer ?? {}) as {
    error?: { code?: string; message?: string; details?: { fields?: Record<string, string> } };
  };
  return new ApiError(status, error?.code ?? 'fault', error?.message ?? NO_SENTENCE, error?.details);
}

/** A file that was saved again no longer opens for the page that had chosen it. */
async function notArrived(file: File): Promise<ApiError> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return new ApiError(0, 'unreachable', NOT_ARRIVED);
  } catch {
    return new ApiError(0, 'changed', CHANGED);
  }
}
