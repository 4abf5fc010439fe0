// Leaves the work to a web worker.
const [url, key, from, to] = process.argv.slice(2);
const worker = new Worker(new URL("program-worker.js", import.meta.url).href, { type: "module" });
const answer = await new Promise((resolve, reject) => {
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = (event) => reject(new Error(event.message));
  worker.postMessage({ url, key, from, to });
});
worker.terminate();
console.log(JSON.stringify(answer));
