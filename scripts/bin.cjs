#!/usr/bin/env node
// Plain JavaScript, old enough for any Node to read: it must be able to say what is missing.
const path = require('node:path');

const project = path.dirname(__dirname);
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  giveUp(
    `Node ${process.versions.node} is too old: 20.19 or later is needed`,
    'install a current Node, then `npm ci`',
  );
} else {
  start();
}

function start() {
  let runCommandLine;
  try {
    require('tsx/cjs');
    ({ runCommandLine } = require('./co-scientist.ts'));
  } catch (error) {
    if (process.argv.includes('--debug')) throw error;
    const request = /^Cannot find (?:module|package) '([^'./][^']*)'/.exec(error.message)?.[1];
    const name = request?.split('/', request.startsWith('@') ? 2 : 1).join('/');
    giveUp(
      name
        ? `the package ${name} is not installed`
        : `the program cannot be loaded: ${String(error.message).split('\n')[0]}`,
      `run \`npm ci\` in ${project}${name ? '' : '; --debug shows where it fails'}`,
    );
    return;
  }
  // A reader that has seen enough (`| head`) is no failure.
  process.stdout.on('error', (error) => {
    if (error.code !== 'EPIPE') giveUp(`the output cannot be written: ${error.message}`, 'make room for it');
    process.exit();
  });
  runCommandLine(process.argv.slice(2)).then((code) => {
    process.exitCode = code;
  });
}

function giveUp(reason, remedy) {
  process.stderr.write(`error: ${reason}\n  fix: ${remedy}\n`);
  process.exitCode = 1;
}
