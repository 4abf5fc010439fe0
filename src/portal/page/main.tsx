document.title = "x";
export {};
