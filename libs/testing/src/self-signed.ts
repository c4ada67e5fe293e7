import { generateKeyPairSync, sign } from 'node:crypto';

/** A self-signed certificate and its key, for TLS servers in specs. */
export function selfSigned(name = 'localhost'): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
  const commonName = sequence(der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from(name)));
  const names = sequence(der(0x31, commonName));
  const time = (text: string): Buffer => der(0x18, Buffer.from(text));
  const facts = sequence(
    der(0x02, Buffer.from([1])),
    algorithm,
    names,
    sequence(time('20200101000000Z'), time('21200101000000Z')),
    names,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', facts, privateKey)]);
  const cert = sequence(facts, algorithm, der(0x03, signature)).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${cert.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`,
  };
}

/** One DER value: tag, length and content. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]): Buffer => der(0x30, Buffer.concat(parts));
