import { DomainError, invalidField, isJsonObject, type Json, type JsonObject, LIMITS } from '@clarion/contracts';

export type GivenFile = { name: string; mime: string; content: Buffer };

export type FileFault = { message: string; thrown: DomainError };

const NAME_CHARACTERS = 255;
const MIME = /^[\w.+-]{1,127}\/[\w.+-]{1,127}$/;
const UNKNOWN_MIME = 'application/octet-stream';

/** Undefined when there are none. A value of `attachments` that is not a list is ordinary payload data. */
export function filesOf(payload: JsonObject): GivenFile[] | FileFault | undefined {
  const { attachments } = payload;
  if (!Array.isArray(attachments) || attachments.length === 0) return undefined;
  if (attachments.length > LIMITS.attachments) {
    return invalid('payload.attachments', `must contain no more than ${LIMITS.attachments} elements`);
  }
  const files: GivenFile[] = [];
  let bytes = 0;
  for (const [index, entry] of attachments.entries()) {
    const file = readFile(entry, `payload.attachments.${index}`);
    if ('thrown' in file) return file;
    bytes += file.content.length;
    if (bytes > LIMITS.attachmentBytes) return tooLarge();
    files.push(file);
  }
  return files;
}

function readFile(entry: Json, path: string): GivenFile | FileFault {
  if (!isJsonObject(entry)) return invalid(path, 'must be an object with name, mime and file');
  const { name, mime = UNKNOWN_MIME, file } = entry;
  if (typeof name !== 'string' || name.trim() === '' || name.length > NAME_CHARACTERS) {
    return invalid(`${path}.name`, `must be a text of 1 to ${NAME_CHARACTERS} characters`);
  }
  if (typeof mime !== 'string' || !MIME.test(mime)) {
    return invalid(`${path}.mime`, 'must be a media type such as application/pdf');
  }
  const content = typeof file === 'string' ? decode(file) : undefined;
  return content ? { name, mime, content } : invalid(`${path}.file`, 'must be the content of the file in base64');
}

/** Undefined when the text is not base64. The decoder of Node skips unknown characters, so lengths are compared. */
function decode(text: string): Buffer | undefined {
  const content = Buffer.from(text, 'base64');
  const isWhole = (given: string): boolean => {
    const digits = given.length - (given.endsWith('==') ? 2 : given.endsWith('=') ? 1 : 0);
    return digits % 4 !== 1 && content.length === Math.floor((digits * 3) / 4);
  };
  return isWhole(text) || isWhole(text.replace(/\s+/g, '')) ? content : undefined;
}

function invalid(path: string, rule: string): FileFault {
  const message = `${path} ${rule}`;
  return { message, thrown: invalidField(path, message) };
}

function tooLarge(): FileFault {
  const message = `payload.attachments must not have more than ${LIMITS.attachmentBytes} bytes in all files together`;
  return { message, thrown: new DomainError('too_large', message) };
}
