// The file of a call: by whichever argument it came, the same bytes are the same file.
import { createHash } from 'node:crypto';
import { refusalNaming } from '../../../../kernel/parse.ts';
import { Refusal } from '../../../../kernel/refusal.ts';
import { Upload } from '../../../../kernel/upload.ts';
import { JSON_FILE_MAX_BYTES } from '../contract.ts';

type Given = {
  file?: string | Upload | undefined;
  file_base64?: string | undefined;
  filename?: string | undefined;
};

export function fileOf({ file, file_base64, filename }: Given): Upload {
  if ((file === undefined) === (file_base64 === undefined))
    throw refusalNaming([['file', 'give the file once: as text in file, or as base64 in file_base64']]);
  if (file instanceof Upload) return file;
  const bytes = file === undefined ? unpacked(file_base64 ?? '') : Buffer.from(file, 'utf8');
  if (bytes.length > JSON_FILE_MAX_BYTES)
    throw new Refusal(
      413,
      'too_large',
      `this file is ${Math.ceil(bytes.length / 1024)} KiB and the limit is ${JSON_FILE_MAX_BYTES / 1024} KiB in JSON: split it, or ask a person to import it in the app (up to 50 MiB)`,
    );
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return new Upload(bytes, { filename: filename ?? null, sha256 });
}

/** Strictly: what the decoder would pass over could make two texts one file. */
function unpacked(text: string): Buffer {
  const packed = text.replace(/[\r\n]/g, '');
  const bytes = Buffer.from(packed, 'base64');
  if (bytes.toString('base64') !== packed)
    throw refusalNaming([
      ['file_base64', 'file_base64 is not valid base64: encode the whole file, with padding'],
    ]);
  return bytes;
}
