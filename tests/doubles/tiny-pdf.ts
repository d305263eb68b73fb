/**
 * A PDF written by hand, one text a page.
 * @param pages lines of each page; a line is a literal string `(…)` or hexadecimal `<…>` of the content stream
 * @param font the font object; Helvetica when none is given
 */
export function tinyPdf(
  pages: string[][],
  options: { title?: string; font?: string; more?: string[] } = {},
): Buffer {
  const font =
    options.font ?? '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';
  const pageNumbers = pages.map((_, index) => 10 + 2 * index);
  const objects: [number, string][] = [
    [1, '<< /Type /Catalog /Pages 2 0 R >>'],
    [2, `<< /Type /Pages /Count ${pages.length} /Kids [${pageNumbers.map((n) => `${n} 0 R`).join(' ')}] >>`],
    [3, font],
    [4, `<< /Title (${options.title ?? ''}) >>`],
    ...(options.more ?? []).map((text, index): [number, string] => [5 + index, text]),
    ...pages.flatMap((lines, index): [number, string][] => {
      const content = `BT /F1 12 Tf 14 TL 72 720 Td ${lines.map((line) => `${line} Tj T*`).join(' ')} ET`;
      const number = 10 + 2 * index;
      return [
        [
          number,
          `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${number + 1} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        ],
        [number + 1, `<< /Length ${content.length} >>\nstream\n${content}\nendstream`],
      ];
    }),
  ];
  return assemble(objects);
}

function assemble(objects: [number, string][]): Buffer {
  let text = '%PDF-1.7\n';
  const offsets = new Map<number, number>();
  for (const [number, body] of objects) {
    offsets.set(number, Buffer.byteLength(text, 'latin1'));
    text += `${number} 0 obj\n${body}\nendobj\n`;
  }
  const size = Math.max(...offsets.keys()) + 1;
  const xref = Buffer.byteLength(text, 'latin1');
  const rows = Array.from({ length: size }, (_, number) => {
    const offset = offsets.get(number);
    return offset === undefined ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  text += `xref\n0 ${size}\n${rows.join('')}trailer\n<< /Size ${size} /Root 1 0 R /Info 4 0 R >>\nstartxref\n${xref}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

/** One empty page, encrypted (RC4, 128 bits) with the password "secret"; made with pypdf 5. */
export const LOCKED_PDF = Buffer.from(
  'JVBERi0xLjMKJeLjz9MKMSAwIG9iago8PAovUHJvZHVjZXIgPDdmMjY1ODUwNTM+Cj4+CmVuZG9iagoyIDAgb2JqCjw8Ci9UeXBlIC9QYWdlcwovQ291bnQgMQovS2lkcyBbIDQgMCBSIF0KPj4KZW5kb2JqCjMgMCBvYmoKPDwKL1R5cGUgL0NhdGFsb2cKL1BhZ2VzIDIgMCBSCj4+CmVuZG9iago0IDAgb2JqCjw8Ci9UeXBlIC9QYWdlCi9SZXNvdXJjZXMgPDwKPj4KL01lZGlhQm94IFsgMC4wIDAuMCA3MiA3MiBdCi9QYXJlbnQgMiAwIFIKPj4KZW5kb2JqCjUgMCBvYmoKPDwKL1YgMgovUiAzCi9MZW5ndGggMTI4Ci9QIDQyOTQ5NjcyOTIKL0ZpbHRlciAvU3RhbmRhcmQKL08gPDBlNTIyOTI1YTNlNGU4NzRjM2NmYWNiZWY1MTFhNzNhYzRlYzJiZDg2NWRjZDNkNDYyNzYxNDkxN2FiZmQ3ZTQ+Ci9VIDwzNDI2NTFkZjJjZTdlOTcxOTk5ZjkxNWIyMWEyNzU0ZjI4YmY0ZTVlNGU3NThhNDE2NDAwNGU1NmZmZmEwMTA4Pgo+PgplbmRvYmoKeHJlZgowIDYKMDAwMDAwMDAwMCA2NTUzNSBmIAowMDAwMDAwMDE1IDAwMDAwIG4gCjAwMDAwMDAwNTkgMDAwMDAgbiAKMDAwMDAwMDExOCAwMDAwMCBuIAowMDAwMDAwMTY3IDAwMDAwIG4gCjAwMDAwMDAyNTkgMDAwMDAgbiAKdHJhaWxlcgo8PAovU2l6ZSA2Ci9Sb290IDMgMCBSCi9JbmZvIDEgMCBSCi9JRCBbIDxkZTI1Y2UxNTJjYzE4ODdmZjdiODY1ZDFhNmY5MWZhZD4gPGRlMjVjZTE1MmNjMTg4N2ZmN2I4NjVkMWE2ZjkxZmFkPiBdCi9FbmNyeXB0IDUgMCBSCj4+CnN0YXJ0eHJlZgo0NzQKJSVFT0YK',
  'base64',
);
