import { isUtf8 } from 'node:buffer';
import { DomainError, LIMITS } from '@clarion/contracts';
import { checkText } from './json-body';

/**
 * Reads a form (`multipart/form-data`) into the same kind of object as a JSON body: fields are texts, and a file is an
 * element `{ name, content }` of the list under the name of its field. `files[]` is the same name as `files`.
 */
export async function parseMultipart(body: Buffer, contentType: string): Promise<Record<string, unknown>> {
  checkParts(body, contentType);
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => {
      throw new DomainError('bad_request', 'The body is not a valid form (multipart/form-data)');
    });
  const read: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [field, value] of form) {
    checkText(field, 'the name of a field');
    const name = field.replace(/\[\]$/, '');
    if (typeof value === 'string') {
      checkText(value, name);
      read[name] = value;
    } else {
      const bytes = Buffer.from(await value.arrayBuffer());
      if (!isUtf8(bytes)) throw new DomainError('bad_request', `The file ${value.name} is not valid UTF-8`);
      checkText(value.name, name);
      const files = Array.isArray(read[name]) ? (read[name] as unknown[]) : [];
      read[name] = [...files, { name: value.name, content: bytes.toString('utf8') }];
    }
  }
  return { ...read };
}

/** Files and fields of one form. */
const MOST_PARTS = 2 * LIMITS.uploadFiles;

/** Counts the parts before they are parsed: a small body can have very many. */
function checkParts(body: Buffer, contentType: string): void {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^;"\s]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw new DomainError('bad_request', 'The content type of a form must name its boundary');
  let parts = 0;
  for (let at = body.indexOf(`--${boundary}`); at >= 0; at = body.indexOf(`--${boundary}`, at + boundary.length)) {
    if ((parts += 1) > MOST_PARTS) {
      throw new DomainError('bad_request', `A form must not have more than ${MOST_PARTS} files and fields`);
    }
  }
}
