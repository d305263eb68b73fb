import { readCsvRecords } from '../../activities/csv-records';

test.each([
  ['line feeds', '\n'],
  ['carriage returns and line feeds', '\r\n'],
  ['carriage returns', '\r'],
])(
  'with %s, rows begin on lines 1, 2 and 6: a cell of two lines and two empty lines lie between',
  (_, end) => {
    const text = ['a,b', '"one', 'two",2', '', '', '3,4', ''].join(end);
    expect(readCsvRecords(text)).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['one\ntwo', '2'] },
      { line: 6, cells: ['3', '4'] },
    ]);
  },
);
