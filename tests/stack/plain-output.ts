// Jest's workers pass a terminal's colours on to whatever a test starts; expected output is plain.
// A child gets these only where `env: process.env` is said: jest's copy is no process's own.
delete process.env.FORCE_COLOR;
process.env.NO_COLOR = '1';
