import sniffHtml from 'html-encoding-sniffer';

export interface DecodedText {
  text: string;
  remarks: string[];
}

/**
 * Bytes as text: byte-order mark, then the header, then (HTML) `<meta>` in the first 1,024 bytes, then strict UTF-8,
 * then a late `<meta>`, then windows-1252 as a guess. Decodes leniently; says when it guessed and when much was lost.
 */
export async function decodeText(
  bytes: Uint8Array,
  options: { charset: string | null; isHtml: boolean },
): Promise<DecodedText> {
  // Node's own TextDecoder reads windows-1252 as ISO-8859-1 (Node 20.20: byte 0x93 gives U+0093, not a quotation mark).
  const { TextDecoder, labelToName } = await encodings();
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const declared = sniffHtml(buffer, {
    defaultEncoding: UNDECLARED,
    ...(options.charset && labelToName(options.charset)
      ? { transportLayerEncodingLabel: options.charset }
      : {}),
    ...(options.isHtml ? {} : { xml: true }),
  });
  const late = declared === UNDECLARED && options.isHtml ? lateDeclaration(buffer, labelToName) : null;
  const name =
    declared === UNDECLARED ? (isUtf8(bytes, TextDecoder) ? 'utf-8' : (late ?? 'windows-1252')) : declared;
  const text = new TextDecoder(name).decode(bytes);
  return { text, remarks: [...guessRemark(declared, name, late), ...lossRemark(text)] };
}

const UNDECLARED = '';
/** One character in so many that could not be decoded is worth a word. */
const LOSS_SHARE = 1 / 500;

async function encodings() {
  const [{ TextDecoder }, { labelToName }] = await Promise.all([
    import('@exodus/bytes/encoding.js'),
    import('@exodus/bytes/encoding-lite.js'),
  ]);
  return { TextDecoder, labelToName };
}

type Decoder = Awaited<ReturnType<typeof encodings>>['TextDecoder'];

function isUtf8(bytes: Uint8Array, TextDecoder: Decoder): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Real pages declare their charset after long scripts; tried only where nothing better speaks. */
function lateDeclaration(bytes: Buffer, labelToName: (label: string) => string | null): string | null {
  const text = bytes.subarray(0, 200_000).toString('latin1');
  for (const [tag] of text.matchAll(/<meta\b[^>]{0,500}>/gi)) {
    const label = /\bcharset\s*=\s*["']?([\w:.-]+)/i.exec(tag)?.[1];
    const name = label ? labelToName(label) : null;
    if (name) return name;
  }
  return null;
}

function guessRemark(declared: string, name: string, late: string | null): string[] {
  return declared === UNDECLARED && name === 'windows-1252' && late === null
    ? ['The page does not say how its characters are encoded; windows-1252 is a guess.']
    : [];
}

function lossRemark(text: string): string[] {
  const lost = text.split('\uFFFD').length - 1;
  return lost > 0 && lost >= text.length * LOSS_SHARE
    ? [`${lost} characters could not be decoded and stand as \uFFFD.`]
    : [];
}
