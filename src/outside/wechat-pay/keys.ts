import { generateKeyPairSync, createSign, randomBytes, type KeyObject } from 'node:crypto';

/** A pair of RSA keys with its certificate, whose serial number is 40 hexadecimal digits. */
export type Certified = { serial: string; privateKey: KeyObject; publicKey: KeyObject; certificate: string };

/** A public key without certificate, named `PUB_KEY_ID_…`: what merchants get since October 2024. */
export type NamedKey = { id: string; privateKey: KeyObject; publicKey: KeyObject };

const YEAR_MS = 365 * 86_400_000;
const newPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = (label: string, bytes: Buffer) =>
  `-----BEGIN ${label}-----\n${(bytes.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END ${label}-----\n`;

export function newNamedKey(mchId: string, now: number): NamedKey {
  const day = new Date(now).toISOString().slice(0, 10).replaceAll('-', '');
  return { id: `PUB_KEY_ID_0${mchId}${day}${randomBytes(6).toString('hex')}`, ...newPair() };
}

/** Issues a certificate for a new pair of keys. `name`: the common name of its subject. */
export function newCertified(name: string, now: number): Certified {
  const pair = newPair();
  const number = randomBytes(20);
  // Positive, and 40 digits long without a leading zero.
  number[0] = 0x40 + ((number[0] ?? 0) % 0x3f);
  const signed = sequence(
    integer(number),
    SHA256_WITH_RSA,
    nameOf('Tenpay.com Root CA (pretend)'),
    sequence(time(now - 86_400_000), time(now + 5 * YEAR_MS)),
    nameOf(name),
    pair.publicKey.export({ format: 'der', type: 'spki' }),
  );
  const signature = createSign('RSA-SHA256').update(signed).sign(pair.privateKey);
  const certificate = sequence(signed, SHA256_WITH_RSA, tagged(0x03, Buffer.from([0]), signature));
  return { serial: number.toString('hex').toUpperCase(), ...pair, certificate: pem('CERTIFICATE', certificate) };
}

// X.509 in DER (RFC 5280), version 1: Node reads certificates and makes none.

function tagged(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Uint8Array[]) => tagged(0x30, ...parts);
const integer = (bytes: Uint8Array) => tagged(0x02, bytes);
const objectId = (...bytes: number[]) => tagged(0x06, Buffer.from(bytes));
/** UTCTime, YYMMDDhhmmssZ. */
const time = (at: number) =>
  tagged(0x17, Buffer.from(`${new Date(at).toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));
/** 1.2.840.113549.1.1.11, without parameters. */
const SHA256_WITH_RSA = sequence(objectId(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b), tagged(0x05));
/** A name of one common name (2.5.4.3). */
const nameOf = (text: string) =>
  sequence(tagged(0x31, sequence(objectId(0x55, 0x04, 0x03), tagged(0x0c, Buffer.from(text)))));
