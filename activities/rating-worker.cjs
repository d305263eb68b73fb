// Started by the thread pool, outside of whatever compiled its parent: so it brings its own TypeScript loader.
require('tsx/cjs');
const { rateBench } = require('../core/ratings/rate-bench.ts');
module.exports = { rate: ({ bench, conduct }) => rateBench(bench, conduct) };
