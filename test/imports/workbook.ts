// Excel workbooks made in code: the few parts that a reader needs, stored or deflated, and the bombs among them.
import { crc32, deflateRawSync } from 'node:zlib';
import { storeZip } from '../../src/features/crm/imports/file/zip.ts';

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A day, a formula with what it last came to, an error, or a plain value. */
export type Cell =
  | string
  | number
  | boolean
  | { day: number }
  | { formula: string; value: string | number }
  | { error: string }
  | null;

function cellXml(cell: Cell, at: string): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (typeof cell === 'string')
    return `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${escape(cell)}</t></is></c>`;
  if ('day' in cell) return `<c r="${at}" s="1"><v>${cell.day}</v></c>`;
  if ('error' in cell) return `<c r="${at}" t="e"><v>${cell.error}</v></c>`;
  const kind = typeof cell.value === 'string' ? ' t="str"' : '';
  return `<c r="${at}"${kind}><f>${escape(cell.formula)}</f><v>${escape(String(cell.value))}</v></c>`;
}

const letter = (i: number): string => String.fromCharCode(65 + i);
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export function workbookParts(rows: Cell[][]): Map<string, Buffer> {
  const sheet = rows.map(
    (row, y) =>
      `<row r="${y + 1}">${row.map((cell, x) => cellXml(cell, `${letter(x)}${y + 1}`)).join('')}</row>`,
  );
  const parts: Record<string, string> = {
    '[Content_Types].xml': `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/></Types>`,
    '_rels/.rels': `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${XML}<workbook ${MAIN} xmlns:r="${OFFICE}"><sheets><sheet name="People" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `${XML}<styleSheet ${MAIN}><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" xfId="0"/><xf numFmtId="14" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `${XML}<worksheet ${MAIN}><sheetData>${sheet.join('')}</sheetData></worksheet>`,
  };
  return new Map(Object.entries(parts).map(([name, text]) => [name, Buffer.from(text)]));
}

export const workbook = (rows: Cell[][]): Buffer => storeZip(workbookParts(rows));

/** One deflated part that unfolds to `bytes` of spaces, whose directory says `claims`. */
export function bomb(bytes: number, claims: number): Buffer {
  const data = deflateRawSync(Buffer.alloc(bytes, 32));
  const name = Buffer.from('xl/workbook.xml');
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(8, 8);
  local.writeUInt32LE(crc32(data), 14);
  local.writeUInt32LE(data.length, 18);
  local.writeUInt32LE(claims, 22);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(data.length, 20);
  entry.writeUInt32LE(claims, 24);
  entry.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(46 + name.length, 12);
  end.writeUInt32LE(30 + name.length + data.length, 16);
  return Buffer.concat([local, name, data, entry, name, end]);
}

/** As Excel saves one: every part deflated. */
export function packedWorkbook(rows: Cell[][]): Buffer {
  const out: Buffer[] = [];
  const index: Buffer[] = [];
  let at = 0;
  for (const [name, content] of workbookParts(rows)) {
    const data = deflateRawSync(content);
    const path = Buffer.from(name);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(content), 10);
    facts.writeUInt32LE(data.length, 14);
    facts.writeUInt32LE(content.length, 18);
    facts.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, path]);
    const listed = Buffer.alloc(14);
    listed.writeUInt32LE(at, 10);
    index.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), facts, listed, path]));
    out.push(local, data);
    at += local.length + data.length;
  }
  const listing = Buffer.concat(index);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(index.length, 8);
  end.writeUInt16LE(index.length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...out, listing, end]);
}
