module example.com/formwire-go-test

go 1.19
