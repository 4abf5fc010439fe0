export const yesterday = { title: "Yesterday" };
