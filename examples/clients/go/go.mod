module example.com/formwire-client

go 1.19
